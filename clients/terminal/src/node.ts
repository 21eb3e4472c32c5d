// Exports for Node, in addition to `index.ts`.
export { openSqliteStorage } from "./node/sqlite-storage.ts";
export { openWsSocket } from "./node/ws-socket.ts";
export { discoverHubs, type FoundHub } from "./node/discover-hubs.ts";
export { signIn } from "./node/sign-in.ts";
