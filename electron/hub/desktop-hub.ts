import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listBackups } from "@comanda/hub/db/backups/backup-files.ts";
import { findBackups } from "@comanda/hub/db/restore/find-backups.ts";
import { cancelStagedRestore, restoreNow } from "@comanda/hub/db/restore/staged-restore.ts";
import { testFolder } from "@comanda/hub/db/backups/test-folder.ts";
import { newestVerifiedBackup } from "@comanda/hub/db/backups/verify-backup.ts";
import { createHub } from "@comanda/hub/hub.ts";
import { reachableHost } from "@comanda/hub/platform/loopback.ts";
import type { World } from "@comanda/hub/platform/world.ts";
import { readHubConfig, type HubConfig } from "@comanda/hub/settings/config.ts";
import type { SettingsHost } from "@comanda/hub/settings/settings-host.ts";
import { createBackupChoices } from "./backup-choices.ts";
import { classifyStartError, retryAfterMs } from "./classify-start-error.ts";
import { createHubLifecycle } from "./hub-lifecycle.ts";
import type { SettingsStore } from "../settings/settings.ts";

/** Name in the audit log for a restore from the failure page, where no user is signed in. */
const RESTORED_BY = "desktop app";

export type DesktopHub = ReturnType<typeof createDesktopHub>;

/** Creates the hub of this app. Each start reads the settings again. */
export function createDesktopHub(
  settings: SettingsStore,
  world: World,
  pages: Pick<HubConfig, "rendererDir" | "terminalDir">,
) {
  const config = (): HubConfig => ({ ...readHubConfig(settings.hubEnvironment()), ...pages });
  const settingsHost: SettingsHost = {
    host: "desktop",
    fileSettings: settings.savedValues,
    environment: settings.environment,
    saveSettings: settings.saveValues,
    restart: () => void lifecycle.restart(),
  };
  /** Data file of the last start. Settings saved since then apply to the next start. */
  let dataFile: string | null = null;
  const build = () => {
    const next = config();
    dataFile = next.dbPath;
    return createHub(next, world, { settingsHost, hasHadFile: settings.dataFile() === dataFile });
  };
  const lifecycle = createHubLifecycle(
    build,
    (error) =>
      classifyStartError(error, {
        port: () => validConfig(settings)?.port,
        countBackups: () => countBackups(settings),
      }),
    () => reachableHost(config().host),
    retryAfterMs,
  );
  lifecycle.onChange(({ state }) => {
    if (state === "running" && dataFile !== null) settings.recordDataFile(dataFile);
  });
  const runningState = () => {
    const state = lifecycle.state();
    return state.state === "running" ? state : undefined;
  };
  const backups = createBackupChoices(config);
  return {
    ...lifecycle,
    config,
    /** The address of its screens, or undefined while it does not run. */
    url: () => runningState()?.url,
    port: () => runningState()?.port,
    /** The backups that can be offered. */
    backups,
    /** Sets the data file aside and puts the newest good backup in its place. Only while no hub runs. */
    restoreNewest() {
      const hubConfig = config();
      const backup = newestVerifiedBackup(hubConfig.backupDir, hubConfig.dbPath);
      if (backup === null) throw new Error(`There is no usable backup in ${hubConfig.backupDir}.`);
      restoreNow(hubConfig, backup, RESTORED_BY, world);
    },
    /** Searches a file or folder for backups, one step per turn so that the app keeps responding. Offers the good ones. */
    async findBackups(place: string) {
      const steps = findBackups(place, path.dirname(config().dbPath));
      for (;;) {
        const step = steps.next();
        if (step.done === true) {
          for (const backup of step.value.good) backups.offer(backup.path);
          return step.value;
        }
        await nextTurn();
      }
    },
    testFolder: (folder: string) => testFolder(folder, config().dbPath),
    /**
     * Puts an offered backup in the data file's place. If a record in it is bad, throws a StartError (`data_file_unusable`) and
     * changes nothing.
     */
    restore(backup: string) {
      if (!backups.isOffered(backup)) throw new Error(`${backup} was not offered.`);
      restoreNow(config(), backup, RESTORED_BY, world);
    },
    /** Sets the data file aside and puts an empty one in its place. Only while no hub runs. */
    beginEmpty: () => void restoreNow(config(), null, RESTORED_BY, world),
    /** Cancels an unfinished restore. Only while no hub runs. */
    cancelRestore: () => void cancelStagedRestore(config().dbPath, world),
  };
}

/** Returns the hub's settings, or undefined if one is invalid. */
export function validConfig(settings: SettingsStore): HubConfig | undefined {
  try {
    return readHubConfig(settings.hubEnvironment());
  } catch {
    return undefined;
  }
}

/** Returns the number of backups that can be offered; 0 if their folder cannot be read. */
export function countBackups(settings: SettingsStore): number {
  const config = validConfig(settings);
  try {
    return config === undefined ? 0 : listBackups(config.backupDir).length;
  } catch {
    return 0;
  }
}
