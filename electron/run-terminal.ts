import path from "node:path";
import { app, BrowserWindow, dialog, Menu, net, powerMonitor, protocol, session } from "electron";
import { desktopTerminalArguments, desktopTerminalPushes } from "@comanda/protocol";
import { discoverHubs } from "@comanda/terminal/node";
import { createTerminalApi } from "./bridge/terminal-api.ts";
import type { AppParts } from "./setup-app.ts";
import { createForwarder, isForHub } from "./terminal/forward-to-hub.ts";
import { createHubFinder } from "./terminal/hub-finder.ts";
import { appScheme, terminalAddress, terminalOrigin } from "./window/app-addresses.ts";
import { createAppPage } from "./window/app-page.ts";
import { terminalPermissions } from "./window/navigation-policy.ts";
import { type Quit, setupQuit } from "./window/quit.ts";
import type { Texts } from "./window/texts.ts";
import { createMainWindow } from "./window/window.ts";

/**
 * Runs the role "terminal": shows the terminal from the app's own files, so that it works without the hub. Runs no hub, opens
 * no data file and no port.
 */
export function runTerminal(parts: AppParts): Quit {
  const { here, info, settings, log, texts } = parts;
  const nothing = () => Promise.resolve();
  // Local storage holds the signed-in user and this device's name, and is written with a delay.
  const flushStorage = async () => session.defaultSession.flushStorageData();
  const quit = setupQuit({ app, dialog, texts, connectedTerminals: () => 0, stopHub: flushStorage, log });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, quit.now);
  powerMonitor.on("shutdown", quit.now);

  const ownOrigins = () => [terminalOrigin];
  parts.guardPages(ownOrigins, terminalPermissions);

  const fetch = (address: string, options: RequestInit) => net.fetch(address, options);
  // On a PC with several network cards, the one that leads to the hub.
  const card = app.commandLine.getSwitchValue("network-card");
  const hubs = createHubFinder({
    remembered: () => settings.terminal().hub,
    remember(hub) {
      const error = settings.rememberHub(hub);
      if (error !== null) log.warn({ err: error }, "the hub's address could not be saved");
    },
    fetch,
    discover: () => discoverHubs(card === "" ? {} : { interface: card }),
    log,
  });
  const page = createAppPage(terminalOrigin, path.resolve(here, "../terminal"));
  const forward = createForwarder({ hubUrl: () => settings.terminal().hub?.url, fetch });
  protocol.handle(appScheme, (request) => (isForHub(request.url) ? forward(request) : page(request)));

  const isKiosk = () => settings.terminal().kiosk;
  const window = createMainWindow({
    BrowserWindow,
    preload: path.join(here, "preload.cjs"),
    bridge: () => bridge,
    icon: path.join(here, "icons", "app.png"),
    address: () => terminalAddress,
    language: settings.language,
    isQuitting: quit.isQuitting,
    terminal: {
      isKiosk,
      quit: () => app.quit(),
      quitNow: quit.now,
      mayLose: (closing) => quit.mayLose(() => agreesToLose(closing, texts())),
    },
    onGaveUp() {
      dialog.showErrorBox(texts().windowGone, texts().terminalGoneDetail);
      quit.now();
    },
    log,
  });
  app.on("second-instance", window.show);
  app.on("activate", window.show);
  app.on("window-all-closed", () => undefined);
  const setMenu = () => {
    // macOS shows its own default menu if the app sets none.
    if (isKiosk() && process.platform !== "darwin") Menu.setApplicationMenu(null);
    else parts.setMenu();
  };
  setMenu();

  const updates = parts.setupUpdates({
    stopHub: nothing,
    startHub: nothing,
    onState: (state) => window.send(desktopTerminalPushes.onUpdate, state),
  });
  const api = createTerminalApi({
    info,
    settings,
    hubs,
    updates,
    setKiosk(isEnabled) {
      setMenu();
      window.setKiosk(isEnabled);
    },
    setStartAtLogin: parts.setStartAtLogin,
    languageChanged: setMenu,
    becomeHub() {
      settings.setRole("hub");
      parts.relaunch();
      quit.now();
    },
    quit: () => app.quit(),
  });
  const bridge = { name: "desktopTerminal", api, pushes: desktopTerminalPushes };
  parts.serveBridge({ ...bridge, takes: desktopTerminalArguments, contentsId: () => window.page()?.id, ownOrigins });
  log.info({}, "this PC is a terminal");
  window.show();
  return quit;
}

/** Asks in a system dialog. The page waits for the answer. */
function agreesToLose(window: BrowserWindow, { unsaved, unsavedDetail, stay, closeAnyway }: Texts): boolean {
  const answer = dialog.showMessageBoxSync(window, {
    type: "warning",
    message: unsaved,
    detail: unsavedDetail,
    buttons: [stay, closeAnyway],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return answer === 1;
}
