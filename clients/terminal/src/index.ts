// For browsers and Node alike: imports nothing of Node.
export * from "./terminal.ts";
export * from "./refusal.ts";
export * from "./emitter.ts";
export * from "./world.ts";
export * from "./orders/order-content.ts";
export * from "./orders/merge-content.ts";
export { totalsOfLines } from "./orders/merge-totals.ts";
export * from "./orders/edit-content.ts";
export * from "./orders/replay-order.ts";
export * from "./outbox/outbox-entry.ts";
export * from "./outbox/outbox-storage.ts";
export type { Mutation, MutationOutcome } from "./outbox/outbox.ts";
export type { Conflict } from "./outbox/present-conflict.ts";
export type { ConnectionState, EndReason } from "./session/connection.ts";
export type { OpenSocket, SocketListener, TerminalSocket } from "./session/socket.ts";
export * from "./state/read-reservations.ts";
export { openWebSocket } from "./browser/web-socket.ts";
export { openIndexedDbStorage } from "./browser/indexed-db-storage.ts";
