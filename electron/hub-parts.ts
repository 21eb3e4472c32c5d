// What the app uses of the hub, in one place: the arrow from this room to the hub's.
export { readHubConfig, type HubConfig } from "@comanda/hub/config.ts";
export { createHub } from "@comanda/hub/hub.ts";
export { realWorld, type World } from "@comanda/hub/world.ts";
export { BackOfficeError, createBackOfficeClient } from "../hub/back-office/client.ts";
export { listBackups, newestGoodBackup, restoreBackup } from "../hub/db/backup.ts";
export type { Installation } from "../hub/installation.ts";
export { createLog } from "../hub/log.ts";
