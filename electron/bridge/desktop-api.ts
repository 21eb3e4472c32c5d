import type {
  DesktopBridge,
  DesktopInfo,
  DesktopTest,
  DesktopTestResult,
  Pairing,
  SaveDesktopSettings,
  SaveResult,
} from "@comanda/protocol";
import type { HubLifecycle, RunningHub } from "../hub/hub-lifecycle.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Updates } from "../updates/updates.ts";

/** What the page may ask of the app: one function per method of the bridge; the subscriptions are pushes. */
export type DesktopApi = { [M in Exclude<keyof DesktopBridge, `on${string}`>]: DesktopBridge[M] };

export interface DesktopApiParts {
  info: DesktopInfo;
  settings: SettingsStore;
  hub: HubLifecycle<RunningHub>;
  updates: Updates;
  testConnection: (test: DesktopTest) => Promise<DesktopTestResult>;
  pairing: () => Promise<Pairing | null>;
  /** Puts the newest good backup in the place of the data file; throws a sentence when there is none. Called while no hub runs. */
  restoreNewest: () => void;
  /** Puts an empty data file in the place of the present one. Called while no hub runs. */
  beginEmpty: () => void;
  /** Takes back a restore that could not be finished. Called while no hub runs. */
  cancelRestore: () => void;
  setStartAtLogin: (wanted: boolean) => void;
  languageChanged: () => void;
  openFolder: (folder: "logs" | "data") => Promise<void>;
  quit: () => void;
  log: { info(facts: object, message: string): void };
}

/** Nothing of the restaurant is decided here: each call goes to the part of the app that it names. */
export function createDesktopApi(parts: DesktopApiParts): DesktopApi {
  const { settings, hub, updates } = parts;

  const save = async (change: SaveDesktopSettings): Promise<SaveResult> => {
    const before = JSON.stringify(settings.hubEnvironment());
    try {
      // Without a hub it is the built-in page that saves another port: the wizard is still to come.
      settings.save(change, hub.running() !== undefined);
      parts.setStartAtLogin(change.startAtLogin);
    } catch (error) {
      return { ok: false, error: messageOf(error) };
    }
    parts.languageChanged();
    const restarting = before !== JSON.stringify(settings.hubEnvironment()) || hub.running() === undefined;
    return resultOf(restarting ? await hub.restart() : hub.state(), restarting);
  };

  const restartAfter = async (work: () => void): Promise<SaveResult> => {
    let problem: string | undefined;
    const state = await hub.restartAround(() => {
      try {
        work();
      } catch (error) {
        problem = messageOf(error);
      }
    });
    return problem === undefined ? resultOf(state, true) : { ok: false, error: problem };
  };

  return {
    info: () => Promise.resolve(parts.info),
    getSettings: () => Promise.resolve(settings.state()),
    testSettings: parts.testConnection,
    saveSettings: save,
    getHubSettings: () => Promise.resolve(settings.hubSettings()),
    changeHubSettings(values) {
      try {
        settings.changeHubSettings(values);
        parts.log.info({ names: Object.keys(values) }, "settings were changed at this computer");
        return Promise.resolve({ ok: true });
      } catch (error) {
        return Promise.resolve({ ok: false, error: messageOf(error) });
      }
    },
    getHubState: () => Promise.resolve(hub.state()),
    getPairing: parts.pairing,
    getUpdate: () => Promise.resolve(updates.state()),
    checkForUpdate: () => updates.check(),
    chooseUpdate: (choice) => Promise.resolve(updates.choose(choice)),
    restartHub: () => hub.restart(),
    restoreNewestBackup: () => restartAfter(parts.restoreNewest),
    beginEmpty: () => restartAfter(parts.beginEmpty),
    cancelRestore: () => restartAfter(parts.cancelRestore),
    openLogs: () => parts.openFolder("logs"),
    openDataFolder: () => parts.openFolder("data"),
    setLanguage(language) {
      settings.setLanguage(language);
      parts.languageChanged();
      return Promise.resolve();
    },
    quit: () => Promise.resolve(parts.quit()),
  };
}

function resultOf(state: Awaited<ReturnType<DesktopBridge["getHubState"]>>, restarting: boolean): SaveResult {
  if (state.state === "running") return { ok: true, restarting, url: state.url };
  return { ok: false, error: state.state === "failed" ? state.error : "The hub is not running yet." };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
