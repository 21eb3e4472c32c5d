import { writeFileSync } from "node:fs";
import path from "node:path";
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  nativeImage,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  shell,
  Tray,
} from "electron";
import { desktopArguments, desktopPushes, settings as hubSettings } from "@comanda/protocol";
import { urlHost } from "@comanda/protocol/url-host.ts";
import { createDesktopApi } from "./bridge/desktop-api.ts";
import { originOf } from "./bridge/ipc.ts";
import { createDesktopHub, type DesktopHub, validConfig } from "./hub/desktop-hub.ts";
import { diagnosticsName, packFailureDiagnostics } from "./hub/failure-diagnostics.ts";
import { watchHealth } from "./hub/health-watch.ts";
import { setupPower } from "./hub/power.ts";
import { findBackOffices, usualAddresses } from "./settings/find-back-offices.ts";
import { hiddenSwitch } from "./settings/login-item.ts";
import { testConnection } from "./settings/test-connection.ts";
import type { AppParts } from "./setup-app.ts";
import { appScheme, builtInAddress, builtInOrigin } from "./window/app-addresses.ts";
import { createAppPage } from "./window/app-page.ts";
import { showWindowGone } from "./window/crash.ts";
import { type Quit, setupQuit } from "./window/quit.ts";
import { setupTray, type TrayState } from "./window/tray.ts";
import { createMainWindow } from "./window/window.ts";

/** Runs the role "hub": the hub and its screens. Sets up the parts in the order in which they start. */
export function runHub(parts: AppParts): Quit {
  const { here, dataFolder, info, settings, log, world, texts, setMenu } = parts;
  const hub = createDesktopHub(settings, world, {
    rendererDir: path.resolve(here, "../renderer"),
    terminalDir: path.resolve(here, "../terminal"),
  });
  const quit = setupQuit({
    app,
    dialog,
    texts,
    connectedTerminals: () => hub.running()?.connectedTerminals() ?? 0,
    stopHub: hub.stop,
    log,
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, quit.now);

  let lastOrigin = builtInOrigin;
  const ownOrigins = () => [builtInOrigin, lastOrigin];
  parts.guardPages(ownOrigins);
  protocol.handle(appScheme, createAppPage(builtInOrigin, path.join(here, "failure-page")));

  const window = createMainWindow({
    BrowserWindow,
    preload: path.join(here, "preload.cjs"),
    bridge: () => bridge,
    icon: path.join(here, "icons", "app.png"),
    address: () => hub.url() ?? builtInAddress,
    language: settings.language,
    isQuitting: quit.isQuitting,
    onGaveUp: () => showWindowGone(dialog, texts()),
    log,
  });
  app.on("second-instance", window.show);
  app.on("activate", window.show);
  app.on("window-all-closed", () => undefined);
  setMenu();

  const tray = showTray(parts, hub, window.show);
  const power = setupPower({
    powerSaveBlocker,
    powerMonitor,
    BrowserWindow,
    platform: process.platform,
    onResume: () => hub.running()?.resumed(),
    onShutdown: quit.now,
    onSessionEnd() {
      hub.running()?.sessionEnds();
      quit.now();
    },
  });

  let hasPrinted = false;
  const reportAddress = (address: string) => {
    if (!hasPrinted) process.stdout.write(`listening on ${address}\n`);
    else log.info({ address }, "the hub runs again");
    hasPrinted = true;
  };
  hub.onChange((state) => {
    if (state.state === "running") {
      lastOrigin = originOf(state.url);
      reportAddress(`http://${urlHost(hub.config().host)}:${state.port}`);
    }
    if (state.state === "failed") {
      // Another program may hold the port now.
      lastOrigin = builtInOrigin;
      log.error({ reason: state.reason }, state.error);
    }
    power.keepAwake(state.state === "running");
    window.send(desktopPushes.onHubState, state);
    if (state.state !== "restarting") window.follow();
    tray.check();
  });

  const updates = parts.setupUpdates({
    stopHub: hub.stop,
    startHub: hub.start,
    onState: (state) => window.send(desktopPushes.onUpdate, state),
  });

  const api = createDesktopApi({
    info,
    settings,
    hub,
    updates,
    testConnection: (test) =>
      testConnection(test, {
        world,
        ownPort: hub.port,
        host: () => settings.hubEnvironment()["HUB_HOST"] ?? hubSettings.HUB_HOST.default,
        passwordFor: settings.passwordFor,
      }),
    findBackOffices: () => findBackOffices([settings.state().settings.backOffice.url, ...usualAddresses]),
    setStartAtLogin: parts.setStartAtLogin,
    languageChanged() {
      setMenu();
      tray.refresh();
    },
    async openFolder(folder) {
      await shell.openPath(folder === "logs" ? app.getPath("logs") : dataFolder);
    },
    choosePath: (kind) => choosePath(parts, kind),
    saveDiagnostics: () => saveDiagnostics(parts, hub),
    async becomeTerminal() {
      if (!(await quit.confirm())) return false;
      settings.setRole("terminal");
      parts.relaunch();
      quit.now();
      return true;
    },
    quit: () => app.quit(),
    log,
  });
  const bridge = { name: "desktop", api, pushes: desktopPushes };
  parts.serveBridge({ ...bridge, takes: desktopArguments, contentsId: () => window.page()?.id, ownOrigins });

  void hub.start().then(() => {
    if (!process.argv.includes(hiddenSwitch) || hub.state().state === "failed") window.show();
  });
  return quit;
}

/** Shows the tray icon with the hub's health, polled regularly, and the actions that need no window. */
function showTray({ here, texts, log }: AppParts, hub: DesktopHub, open: () => void) {
  const tray = setupTray({
    Tray,
    Menu,
    image: (state: TrayState["name"]) => nativeImage.createFromPath(path.join(here, "icons", `tray-${state}.png`)),
    texts,
    actions: {
      open,
      copyAddress: () => clipboard.writeText(hub.running()?.pairing().addresses[0]?.url ?? ""),
      pauseWebhooks(paused) {
        const failed = (error: unknown) => log.error({ err: error }, "webhooks could not be paused or resumed");
        hub.running()?.pauseWebhooks(paused, texts().trayUser).then(watch.check, failed);
      },
      quit: () => app.quit(),
    },
  });
  const watch = watchHealth(hub.state, () => hub.running()?.webhooksPaused() ?? false, tray.show);
  return { refresh: tray.refresh, check: watch.check };
}

async function choosePath({ settings, dataFolder }: AppParts, kind: "file" | "folder"): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    properties: [kind === "file" ? "openFile" : "openDirectory"],
    defaultPath: validConfig(settings)?.backupDir ?? dataFolder,
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Asks where to save, then packs diagnostics about why the hub does not start. Returns null if cancelled. */
async function saveDiagnostics(
  { world, info, settings, dataFolder }: AppParts,
  hub: DesktopHub,
): Promise<string | null> {
  const now = world.clock.now();
  const defaultPath = path.join(app.getPath("documents"), diagnosticsName(now));
  const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath });
  if (canceled) return null;
  const { backupDir, dbPath } = validConfig(settings) ?? {};
  const bundle = await packFailureDiagnostics({
    info,
    state: hub.state(),
    settings: settings.hubSettings(),
    secrets: settings.secrets(),
    logFolder: app.getPath("logs"),
    folders: [
      dbPath === undefined ? dataFolder : path.dirname(dbPath),
      ...(backupDir === undefined ? [] : [backupDir]),
    ],
    now,
  });
  writeFileSync(filePath, bundle, { mode: 0o600 });
  return filePath;
}
