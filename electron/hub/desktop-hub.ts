import { listBackups } from "@comanda/hub/db/backup-files.ts";
import { cancelStagedRestore, restoreNow } from "@comanda/hub/db/staged-restore.ts";
import { newestVerifiedBackup } from "@comanda/hub/db/verify-backup.ts";
import { createHub } from "@comanda/hub/hub.ts";
import type { World } from "@comanda/hub/platform/world.ts";
import { readHubConfig, type HubConfig } from "@comanda/hub/settings/config.ts";
import type { SettingsHost } from "@comanda/hub/settings/settings-host.ts";
import { classifyStartError, SettingError } from "./classify-start-error.ts";
import { createHubLifecycle } from "./hub-lifecycle.ts";
import type { SettingsStore } from "../settings/settings.ts";

/** Who restores from the failure page, where nobody is signed in. */
const ASKED_BY = "desktop app";

/** The hub of this app, on the settings of the moment in which it starts. */
export function createDesktopHub(settings: SettingsStore, world: World, rendererDir: string) {
  const config = () => readDesktopConfig(settings, rendererDir);
  const settingsHost: SettingsHost = {
    host: "desktop",
    fileSettings: settings.savedValues,
    environment: settings.environment,
    saveSettings: settings.saveValues,
    restart: () => void lifecycle.restart(),
  };
  const lifecycle = createHubLifecycle(
    () => createHub(config(), world, { settingsHost }),
    (error) =>
      classifyStartError(error, {
        port: () => testConfig(settings)?.port,
        countBackups: () => countBackups(settings),
      }),
    () => reachableHost(config().host),
  );
  return {
    ...lifecycle,
    config,
    /** The address of its screens while it runs. */
    url: () => {
      const state = lifecycle.state();
      return state.state === "running" ? state.url : undefined;
    },
    port: () => {
      const state = lifecycle.state();
      return state.state === "running" ? state.port : undefined;
    },
    /** Puts the newest good backup in the place of the data file, which is kept aside; only while no hub runs. */
    restoreNewest() {
      const hubConfig = config();
      const backup = newestVerifiedBackup(hubConfig.backupDir);
      if (backup === null) throw new Error(`There is no backup that can be used in ${hubConfig.backupDir}.`);
      restoreNow(hubConfig, backup, ASKED_BY, world);
    },
    /** Puts an empty data file in the place of the present one, which is kept aside; only while no hub runs. */
    beginEmpty: () => void restoreNow(config(), null, ASKED_BY, world),
    /** Takes back a restore that could not be finished; only while no hub runs. */
    cancelRestore: () => void cancelStagedRestore(config().dbPath),
  };
}

/** What is saved, and the environment over it; throws a SettingError with the hub's own sentence. */
function readDesktopConfig(settings: SettingsStore, rendererDir: string): HubConfig {
  try {
    return { ...readHubConfig(settings.hubEnvironment()), rendererDir };
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The settings as far as they can be read; undefined while one of them is wrong. */
export function testConfig(settings: SettingsStore): HubConfig | undefined {
  try {
    return readHubConfig(settings.hubEnvironment());
  } catch {
    return undefined;
  }
}

/** How many backups could be offered. */
export function countBackups(settings: SettingsStore): number {
  const config = testConfig(settings);
  return config === undefined ? 0 : listBackups(config.backupDir).length;
}

/** A hub that listens everywhere is reached on loopback, one that listens on one address only there. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
