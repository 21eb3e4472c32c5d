import type {
  BridgeMethod,
  ChosenBackups,
  DesktopBridge,
  DesktopInfo,
  DesktopTest,
  DesktopTestResult,
  SaveDesktopSettings,
  SaveResult,
} from "@comanda/protocol";
import { settingRow } from "@comanda/protocol";
import { createRestoreOffer } from "./restore-offer.ts";
import { HubError, StartError, type StartErrorCode } from "@comanda/hub/platform/errors.ts";
import { messageOf } from "@comanda/hub/platform/error-facts.ts";
import type { DesktopHub } from "../hub/desktop-hub.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Updates } from "../updates/updates.ts";

/** The app's side of the bridge: one function per method. Subscriptions are pushes. */
export type DesktopApi = Pick<DesktopBridge, BridgeMethod<DesktopBridge>>;

export interface DesktopApiDeps {
  info: DesktopInfo;
  settings: SettingsStore;
  hub: DesktopHub;
  updates: Updates;
  testConnection: (test: DesktopTest) => Promise<DesktopTestResult>;
  findBackOffices: () => Promise<string[]>;
  setStartAtLogin: (isEnabled: boolean) => void;
  languageChanged: () => void;
  openFolder: (folder: "logs" | "data") => Promise<void>;
  /** Resolves to the path chosen in the system's dialog, or null if cancelled. */
  choosePath: (kind: "file" | "folder") => Promise<string | null>;
  saveDiagnostics: () => Promise<string | null>;
  /** Asks for confirmation while terminals are connected. Resolves to whether the app restarts. */
  becomeTerminal: () => Promise<boolean>;
  quit: () => void;
  log: { info(facts: object, message: string): void };
}

/** Forwards each call to the part of the app that handles it. Contains no restaurant rules. */
export function createDesktopApi(deps: DesktopApiDeps): DesktopApi {
  const { settings, hub, updates } = deps;
  const restoring = createRestoreOffer({ hub, isConfigured: () => settings.state().configured });

  const save = async (change: SaveDesktopSettings): Promise<SaveResult> => {
    const before = JSON.stringify(settings.hubEnvironment());
    try {
      // Without a running hub, the built-in page saves a new port, which does not finish the wizard.
      settings.save(change, hub.running() !== undefined);
      deps.setStartAtLogin(change.startAtLogin);
    } catch (error) {
      return { ok: false, error: messageOf(error) };
    }
    deps.languageChanged();
    const restarting = before !== JSON.stringify(settings.hubEnvironment()) || hub.running() === undefined;
    return resultOf(restarting ? await hub.restart() : hub.state(), restarting);
  };

  const restartAfter = async (work: () => void): Promise<SaveResult> => {
    let refusal: SaveResult | undefined;
    const state = await hub.restartAround(() => {
      try {
        work();
      } catch (error) {
        refusal = refusalOf(error);
      }
    });
    return refusal ?? resultOf(state, true);
  };

  const choose = async (from: "file" | "folder"): Promise<ChosenBackups> => {
    const chosen = await deps.choosePath(from);
    if (chosen === null) return { cancelled: true };
    return {
      cancelled: false,
      backups: from === "file" ? [hub.backups.describeFile(chosen)] : hub.backups.listInFolder(chosen),
    };
  };

  const restoreAfter = async (work: () => void): Promise<SaveResult> => {
    // Must be checked before the hub is stopped.
    const refused = restoring.refusal();
    return refused === null ? restartAfter(work) : { ok: false, error: refused };
  };

  return {
    info: () => Promise.resolve(deps.info),
    getSettings: () => Promise.resolve(settings.state()),
    testSettings: deps.testConnection,
    findBackOffices: deps.findBackOffices,
    saveSettings: save,
    getHubSettings: () =>
      Promise.resolve(settings.hubSettings().map((setting) => ({ ...setting, input: settingRow(setting.name).input }))),
    changeHubSettings(values) {
      try {
        settings.changeHubSettings(values);
        deps.log.info({ names: Object.keys(values) }, "settings were changed at this computer");
        return Promise.resolve({ ok: true });
      } catch (error) {
        const { reason, values } = error instanceof HubError ? error.explanation : {};
        const explanation = reason !== undefined && { said: { reason, ...(values !== undefined && { values }) } };
        return Promise.resolve({ ok: false, error: messageOf(error), ...explanation });
      }
    },
    getHubState: () => Promise.resolve(hub.state()),
    getPairing: () => Promise.resolve(hub.running()?.pairing() ?? null),
    getUpdate: () => Promise.resolve(updates.state()),
    checkForUpdate: () => updates.check(),
    chooseUpdate: (choice) => Promise.resolve(updates.choose(choice)),
    restartHub: () => hub.restart(),
    restoreNewestBackup: () => restoreAfter(hub.restoreNewest),
    getBackups: () => Promise.resolve(hub.backups.list()),
    chooseBackups: choose,
    findBackups: restoring.find,
    chooseFolder: () => deps.choosePath("folder"),
    restoreBackup: (path) => restoreAfter(() => hub.restore(path)),
    testFolder(folder) {
      const test = hub.testFolder(folder);
      if (!test.ok) return Promise.resolve({ ok: false, reason: test.reason, error: test.detail });
      return Promise.resolve({ ok: true, freeBytes: test.freeBytes, sameDisk: test.isSameDisk });
    },
    beginEmpty: () => restartAfter(hub.beginEmpty),
    cancelRestore: () => restartAfter(hub.cancelRestore),
    openLogs: () => deps.openFolder("logs"),
    openDataFolder: () => deps.openFolder("data"),
    saveDiagnostics: deps.saveDiagnostics,
    setLanguage(language) {
      settings.setLanguage(language);
      deps.languageChanged();
      return Promise.resolve();
    },
    becomeTerminal: deps.becomeTerminal,
    quit: () => Promise.resolve(deps.quit()),
  };
}

function resultOf(state: Awaited<ReturnType<DesktopBridge["getHubState"]>>, restarting: boolean): SaveResult {
  if (state.state === "running") return { ok: true, restarting, url: state.url };
  return { ok: false, error: state.state === "failed" ? state.error : "The hub is not running yet." };
}

/** Start errors for which a page has texts. A restore reports a bad backup as an unusable file. */
const refusalCodes: Partial<Record<StartErrorCode, Extract<SaveResult, { ok: false }>["code"]>> = {
  data_file_in_use: "data_file_in_use",
  data_file_unusable: "backup_unusable",
  restore_unfinished: "restore_unfinished",
};

function refusalOf(error: unknown): SaveResult {
  const code = error instanceof StartError ? refusalCodes[error.code] : undefined;
  return { ok: false, error: messageOf(error), ...(code === undefined ? {} : { code }) };
}
