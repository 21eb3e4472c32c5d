// What the app uses of the hub, in one place: the arrow from this room to the hub's.
export { isSameAccount, readHubConfig, type HubConfig } from "@comanda/hub/settings/config.ts";
export { createHub } from "@comanda/hub/hub.ts";
export { realWorld, type World } from "@comanda/hub/platform/world.ts";
export { BackOfficeError, createBackOfficeClient } from "../../hub/back-office/client.ts";
export { presentSettings, requireAllowedChange, type SettingSources } from "../../hub/settings/change-settings.ts";
export { listBackups } from "../../hub/db/backup-files.ts";
export { cancelStagedRestore, restoreNow } from "../../hub/db/staged-restore.ts";
export { newestVerifiedBackup } from "../../hub/db/verify-backup.ts";
export { HubError, StartError, type StartErrorCode } from "../../hub/platform/errors.ts";
export type { SettingsHost } from "../../hub/settings/settings-host.ts";
export { createLog } from "../../hub/platform/log.ts";
