import type {
  DesktopBridge,
  DesktopInfo,
  DesktopTest,
  DesktopTestResult,
  SaveDesktopSettings,
  SaveResult,
} from "@comanda/protocol";
import type { DesktopHub } from "../hub/desktop-hub.ts";
import type { SettingsStore } from "../settings/settings.ts";
import type { Updates } from "../updates/updates.ts";

/** The app's side of the bridge: one function per method; subscriptions are pushes. */
export type DesktopApi = { [M in Exclude<keyof DesktopBridge, `on${string}`>]: DesktopBridge[M] };

export interface DesktopApiDeps {
  info: DesktopInfo;
  settings: SettingsStore;
  hub: DesktopHub;
  updates: Updates;
  testConnection: (test: DesktopTest) => Promise<DesktopTestResult>;
  setStartAtLogin: (isWanted: boolean) => void;
  languageChanged: () => void;
  openFolder: (folder: "logs" | "data") => Promise<void>;
  quit: () => void;
  log: { info(facts: object, message: string): void };
}

/** Forwards each call to the part of the app that it names; it holds no rule of the restaurant. */
export function createDesktopApi(deps: DesktopApiDeps): DesktopApi {
  const { settings, hub, updates } = deps;

  const save = async (change: SaveDesktopSettings): Promise<SaveResult> => {
    const before = JSON.stringify(settings.hubEnvironment());
    try {
      // Without a running hub the built-in page is saving another port, which does not finish the wizard.
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
    info: () => Promise.resolve(deps.info),
    getSettings: () => Promise.resolve(settings.state()),
    testSettings: deps.testConnection,
    saveSettings: save,
    getHubSettings: () => Promise.resolve(settings.hubSettings()),
    changeHubSettings(values) {
      try {
        settings.changeHubSettings(values);
        deps.log.info({ names: Object.keys(values) }, "settings were changed at this computer");
        return Promise.resolve({ ok: true });
      } catch (error) {
        return Promise.resolve({ ok: false, error: messageOf(error) });
      }
    },
    getHubState: () => Promise.resolve(hub.state()),
    getPairing: () => Promise.resolve(hub.running()?.pairing() ?? null),
    getUpdate: () => Promise.resolve(updates.state()),
    checkForUpdate: () => updates.check(),
    chooseUpdate: (choice) => Promise.resolve(updates.choose(choice)),
    restartHub: () => hub.restart(),
    restoreNewestBackup: () => restartAfter(hub.restoreNewest),
    beginEmpty: () => restartAfter(hub.beginEmpty),
    cancelRestore: () => restartAfter(hub.cancelRestore),
    openLogs: () => deps.openFolder("logs"),
    openDataFolder: () => deps.openFolder("data"),
    setLanguage(language) {
      settings.setLanguage(language);
      deps.languageChanged();
      return Promise.resolve();
    },
    quit: () => Promise.resolve(deps.quit()),
  };
}

function resultOf(state: Awaited<ReturnType<DesktopBridge["getHubState"]>>, restarting: boolean): SaveResult {
  if (state.state === "running") return { ok: true, restarting, url: state.url };
  return { ok: false, error: state.state === "failed" ? state.error : "The hub is not running yet." };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
