// What the app uses of the hub, in one place: the arrow from this room to the hub's.
export { createBackOfficeClient, BackOfficeError, type BackOfficeClient } from "../hub/back-office/client.ts";
export { readHubConfig, type HubConfig } from "../hub/config.ts";
export { listBackups, newestGoodBackup, restoreBackup } from "../hub/db/backup.ts";
export { createLog } from "../hub/log.ts";
export { realWorld, type World } from "../hub/world.ts";
export { createHub } from "../hub/hub.ts";
