// The desktop app's main process: a list of setups. Nothing waits at the top level for 'ready': in an ES module that would dead-lock.
import { existsSync } from "node:fs";
import path from "node:path";
import * as electron from "electron";
import electronUpdater from "electron-updater";
import type { MenuItemConstructorOptions } from "electron";
import { desktopChannels, desktopPushes, type DesktopHubState, type DesktopInfo } from "@comanda/protocol";
import { builtInAddress, builtInOrigin, builtInScheme, createBuiltInPage } from "./built-in-page.ts";
import { createDesktopApi } from "./desktop-api.ts";
import { explainFailure, SettingError } from "./explain-failure.ts";
import { guardContents, guardSession } from "./guard.ts";
import { watchHealth } from "./health-watch.ts";
import { createHubLifecycle } from "./hub-lifecycle.ts";
import {
  createHub,
  createLog,
  listBackups,
  newestGoodBackup,
  readHubConfig,
  realWorld,
  restoreBackup,
  type HubConfig,
} from "./hub-parts.ts";
import { createHandle, isOwnSender, originOf } from "./ipc.ts";
import { hiddenSwitch, setStartAtLogin } from "./login-item.ts";
import { createLogFile } from "./log-file.ts";
import { setupPower } from "./power.ts";
import { setupQuit } from "./quit.ts";
import { createSettingsStore } from "./settings.ts";
import { textsOf } from "./texts.ts";
import { setupTray, type TrayState } from "./tray.ts";
import { addressesOn, trySettings } from "./try-settings.ts";
import { channelOf, installationOf, setupUpdates } from "./updates.ts";
import { createMainWindow } from "./window.ts";

const { app } = electron;
const here = import.meta.dirname;

if (!app.isPackaged && existsSync(".env")) process.loadEnvFile(".env");
app.setName("Comanda Hub");
const profile = app.commandLine.getSwitchValue("profile-dir");
if (profile !== "") app.setPath("userData", path.resolve(profile));
app.enableSandbox();
electron.protocol.registerSchemesAsPrivileged([
  { scheme: builtInScheme, privileges: { standard: true, secure: true } },
]);

if (app.requestSingleInstanceLock()) void app.whenReady().then(run);
else app.quit();

/** Everything of the app, in the order in which it comes to life; the window is last. */
function run(): void {
  const dataFolder = app.getPath("userData");
  const settings = createSettingsStore({
    folder: dataFolder,
    safeStorage: electron.safeStorage,
    env: process.env,
    systemLanguage: app.getPreferredSystemLanguages()[0]?.startsWith("en") === true ? "en" : "es",
    countBackups: () => listBackups(hubConfig()?.backupDir ?? path.join(dataFolder, "backups")).length,
  });
  app.setAppLogsPath(path.join(dataFolder, "logs"));
  const log = createLog(hubConfig()?.logLevel ?? "info", createLogFile(app.getPath("logs"), process.stdout));
  const world = realWorld(log);
  if (settings.damage !== null) log.warn(settings.damage);

  const texts = () => textsOf(settings.state().settings.language);
  const hub = createHubLifecycle(
    () => createHub(readConfig(), world),
    (error) =>
      explainFailure(error, { port: () => hubConfig()?.port, countBackups: () => settings.state().backupsFound }),
  );
  const hubUrl = () => {
    const state = hub.state();
    return state.state === "running" ? state.url : undefined;
  };
  const quit = setupQuit({
    app,
    dialog: electron.dialog,
    texts,
    connectedTerminals: () => hub.running()?.connectedTerminals() ?? 0,
    stopHub: hub.stop,
    log,
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, quit.now);

  let lastOrigin = builtInOrigin;
  const ownOrigins = () => [builtInOrigin, lastOrigin];
  guardSession(electron.session.defaultSession, ownOrigins);
  app.on("web-contents-created", (_event, contents) =>
    guardContents(contents, ownOrigins, (address) => electron.shell.openExternal(address)),
  );
  electron.protocol.handle(builtInScheme, createBuiltInPage(path.join(here, "failure-page")));

  const window = createMainWindow({
    BrowserWindow: electron.BrowserWindow,
    preload: path.join(here, "preload.cjs"),
    icon: path.join(here, "icons", "app.png"),
    address: () => hubUrl() ?? builtInAddress,
    isQuitting: quit.isQuitting,
    onSessionEnd: quit.now,
    onGaveUp: () => electron.dialog.showErrorBox(texts().windowGone, texts().windowGoneDetail),
    log,
  });
  app.on("second-instance", window.show);
  app.on("activate", window.show);
  app.on("window-all-closed", () => undefined);
  electron.Menu.setApplicationMenu(process.platform === "darwin" ? electron.Menu.buildFromTemplate(macMenu) : null);

  const tray = setupTray({
    Tray: electron.Tray,
    Menu: electron.Menu,
    image: (state: TrayState["name"]) =>
      electron.nativeImage.createFromPath(path.join(here, "icons", `tray-${state}.png`)),
    texts,
    actions: {
      open: window.show,
      copyAddress: () => electron.clipboard.writeText(addressesOn(portOf(hub.state()) ?? 0)[0] ?? hubUrl() ?? ""),
      quit: () => app.quit(),
    },
  });
  const watch = watchHealth(hub.state, tray.show);
  const power = setupPower({
    powerSaveBlocker: electron.powerSaveBlocker,
    powerMonitor: electron.powerMonitor,
    onResume: () => hub.running()?.resumed(),
    onShutdown: quit.now,
  });

  hub.onChange((state) => {
    if (state.state === "running") {
      lastOrigin = originOf(state.url);
      process.stdout.write(`listening on http://${hubConfig()?.host ?? "127.0.0.1"}:${state.port}\n`);
    }
    if (state.state === "failed") log.error({ reason: state.reason }, state.error);
    power.keepAwake(state.state === "running");
    window.send(desktopPushes.hubState, state);
    if (state.state !== "restarting") window.follow();
    watch.look();
  });

  const updates = setupUpdates({
    channel: channelOf(app.isPackaged, process.env),
    client: installationOf(app.getVersion(), app.getPath("exe"), process.env),
    backOfficeUrl: () =>
      settings.state().configured ? settings.state().settings.backOffice.url : process.env["ERP_URL"],
    fetch: (address, options) => electron.net.fetch(address, options),
    electronUpdater,
    relaunch: (program) => app.relaunch({ execPath: program, args: [] }),
    openInBrowser: (address) => electron.shell.openExternal(address),
    stopHub: hub.stop,
    startHub: hub.start,
    onState: (state) => window.send(desktopPushes.update, state),
    log,
  });

  const api = createDesktopApi({
    info: appInfo(dataFolder),
    settings,
    hub,
    updates,
    trySettings: (test) =>
      trySettings(test, { world, ownPort: () => portOf(hub.state()), keptPassword: settings.password }),
    pairing: () => Promise.resolve(null),
    restoreNewest() {
      const config = readConfig();
      const backup = newestGoodBackup(config.backupDir);
      if (backup === null) throw new Error(`There is no backup that can be used in ${config.backupDir}.`);
      restoreBackup(config.dbPath, backup, world);
    },
    setStartAtLogin: (wanted) =>
      setStartAtLogin(wanted, {
        platform: process.platform,
        configFolder: app.getPath("appData"),
        program: process.env["APPIMAGE"] ?? app.getPath("exe"),
        setLoginItemSettings: (login) => app.setLoginItemSettings(login),
      }),
    languageChanged: watch.look,
    async openFolder(folder) {
      await electron.shell.openPath(folder === "logs" ? app.getPath("logs") : dataFolder);
    },
    quit: () => app.quit(),
  });
  const handle = createHandle(electron.ipcMain, (event) => isOwnSender(event, window.page()?.id, ownOrigins()));
  for (const [method, { channel, args }] of Object.entries(desktopChannels)) {
    handle(channel, args, (...given) => (api[method as keyof typeof api] as (...args: unknown[]) => unknown)(...given));
  }

  void hub.start().then(() => {
    if (!process.argv.includes(hiddenSwitch) || hub.state().state === "failed") window.show();
  });

  /** The hub's settings of now: what is saved, and the environment over it. */
  function readConfig(): HubConfig {
    try {
      return { ...readHubConfig(settings.hubEnvironment()), rendererDir: path.resolve(here, "../renderer") };
    } catch (error) {
      throw new SettingError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  function hubConfig(): HubConfig | undefined {
    try {
      return readConfig();
    } catch {
      return undefined;
    }
  }
}

function appInfo(dataFolder: string): DesktopInfo {
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  return { appVersion: app.getVersion(), platform, arch: process.arch, packaged: app.isPackaged, dataFolder };
}

function portOf(state: DesktopHubState): number | undefined {
  return state.state === "running" ? state.port : undefined;
}

const macMenu: MenuItemConstructorOptions[] = [{ role: "appMenu" }, { role: "editMenu" }, { role: "windowMenu" }];
