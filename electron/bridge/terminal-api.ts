import type { BridgeMethod, DesktopTerminalBridge, DesktopTerminalSettings } from "@comanda/protocol";
import type { HubFinder } from "../terminal/hub-finder.ts";
import type { DesktopApiDeps } from "./desktop-api.ts";

/** The app's side of the terminal's bridge: one function per method. Subscriptions are pushes. */
export type TerminalApi = Pick<DesktopTerminalBridge, BridgeMethod<DesktopTerminalBridge>>;

export interface TerminalApiDeps extends Pick<
  DesktopApiDeps,
  "info" | "settings" | "updates" | "setStartAtLogin" | "languageChanged" | "quit"
> {
  hubs: HubFinder;
  setKiosk: (isEnabled: boolean) => void;
  becomeHub: () => void;
}

/** Forwards each call to the part of the app that handles it. Contains no restaurant rules. */
export function createTerminalApi(deps: TerminalApiDeps): TerminalApi {
  const { settings, hubs, updates } = deps;
  const current = (): DesktopTerminalSettings => ({
    language: settings.language(),
    kiosk: settings.terminal().kiosk,
    startAtLogin: settings.startsAtLogin(),
  });
  return {
    info: () => Promise.resolve(deps.info),
    getSettings: () => Promise.resolve(current()),
    changeSettings({ language, kiosk, startAtLogin }) {
      if (startAtLogin !== undefined) {
        deps.setStartAtLogin(startAtLogin);
        settings.setStartAtLogin(startAtLogin);
      }
      if (language !== undefined) {
        settings.setLanguage(language);
        deps.languageChanged();
      }
      if (kiosk !== undefined) {
        settings.changeTerminal({ kiosk });
        deps.setKiosk(kiosk);
      }
      return Promise.resolve(current());
    },
    getHub: () => Promise.resolve(settings.terminal().hub),
    locateHub: hubs.locate,
    findHubs: hubs.find,
    chooseHub: hubs.choose,
    becomeHub: () => Promise.resolve(deps.becomeHub()),
    getUpdate: () => Promise.resolve(updates.state()),
    checkForUpdate: () => updates.check(),
    chooseUpdate: (choice) => Promise.resolve(updates.choose(choice)),
    quit: () => Promise.resolve(deps.quit()),
  };
}
