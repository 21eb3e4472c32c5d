// The desktop app's main process: a list of setups. Awaiting 'ready' at the top level of an ES module would deadlock.
import { existsSync } from "node:fs";
import path from "node:path";
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  session,
  shell,
  Tray,
} from "electron";
import electronUpdater from "electron-updater";
import { desktopChannels, desktopPushes, type DesktopInfo } from "@comanda/protocol";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { builtInAddress, builtInOrigin, builtInScheme, createBuiltInPage } from "./window/built-in-page.ts";
import { createDesktopApi } from "./bridge/desktop-api.ts";
import { countBackups, createDesktopHub, validConfig } from "./hub/desktop-hub.ts";
import { guardContents, guardSession } from "./window/navigation-policy.ts";
import { watchHealth } from "./hub/health-watch.ts";
import { createHandle, isOwnSender, originOf } from "./bridge/ipc.ts";
import { hiddenSwitch, setStartAtLogin } from "./settings/login-item.ts";
import { createLogFile } from "./hub/log-file.ts";
import { applicationMenu } from "./window/menu.ts";
import { setupPower } from "./hub/power.ts";
import { setupQuit } from "./window/quit.ts";
import { createSettingsStore } from "./settings/settings.ts";
import { textsOf } from "./window/texts.ts";
import { setupTray, type TrayState } from "./window/tray.ts";
import { addressesOn, testConnection } from "./settings/test-connection.ts";
import { channelOf, installationOf, setupUpdates } from "./updates/updates.ts";
import { createMainWindow } from "./window/window.ts";

const here = import.meta.dirname;

if (!app.isPackaged && existsSync(".env")) process.loadEnvFile(".env");
app.setName("Comanda Hub");
if (process.platform === "win32") app.setAppUserModelId("com.comanda.hub");
const profile = app.commandLine.getSwitchValue("profile-dir");
if (profile !== "") app.setPath("userData", path.resolve(profile));
app.enableSandbox();
protocol.registerSchemesAsPrivileged([{ scheme: builtInScheme, privileges: { standard: true, secure: true } }]);

if (app.requestSingleInstanceLock()) app.whenReady().then(run).catch(giveUp);
else app.quit();

/** Sets up the parts of the app, in the order in which they start; the window is shown last. */
function run(): void {
  const dataFolder = app.getPath("userData");
  const isPlainText = process.platform === "linux" && !safeStorage.isEncryptionAvailable();
  if (isPlainText) safeStorage.setUsePlainTextEncryption(true);
  const settings = createSettingsStore({
    folder: dataFolder,
    safeStorage,
    env: process.env,
    systemLanguage: app.getPreferredSystemLanguages()[0]?.startsWith("en") === true ? "en" : "es",
    countBackups: (configured) => (configured ? countBackups(settings) : backupsAtStart),
  });
  // The first run offers only backups from before: a new hub soon makes one of its own.
  const backupsAtStart = countBackups(settings);
  app.setAppLogsPath(path.join(dataFolder, "logs"));
  const log = createLog(validConfig(settings)?.logLevel ?? "info", createLogFile(app.getPath("logs"), process.stdout));
  const world = realWorld(log);
  if (isPlainText)
    log.warn("this machine has no key store: the back-office password is only as safe as the app's own folder");
  const damage = settings.damage();
  if (damage !== null) log.warn(damage);

  const texts = () => textsOf(settings.language());
  const hub = createDesktopHub(settings, world, path.resolve(here, "../renderer"));
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
  guardSession(session.defaultSession, ownOrigins);
  app.on("web-contents-created", (_event, contents) =>
    guardContents(contents, ownOrigins, (address) => shell.openExternal(address)),
  );
  protocol.handle(builtInScheme, createBuiltInPage(path.join(here, "failure-page")));

  const window = createMainWindow({
    BrowserWindow,
    preload: path.join(here, "preload.cjs"),
    icon: path.join(here, "icons", "app.png"),
    address: () => hub.url() ?? builtInAddress,
    isQuitting: quit.isQuitting,
    onSessionEnd: quit.now,
    onGaveUp: () => dialog.showErrorBox(texts().windowGone, texts().windowGoneDetail),
    log,
  });
  app.on("second-instance", window.show);
  app.on("activate", window.show);
  app.on("window-all-closed", () => undefined);
  const setMenu = () => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(process.platform, texts(), () => app.quit())));
  };
  setMenu();

  const tray = setupTray({
    Tray,
    Menu,
    image: (state: TrayState["name"]) => nativeImage.createFromPath(path.join(here, "icons", `tray-${state}.png`)),
    texts,
    actions: {
      open: window.show,
      copyAddress: () => clipboard.writeText(addressesOn(hub.port() ?? 0)[0] ?? hub.url() ?? ""),
      pauseWebhooks(paused) {
        const failed = (error: unknown) => log.error({ err: error }, "webhooks could not be paused or resumed");
        hub.running()?.pauseWebhooks(paused, texts().trayUser).then(watch.check, failed);
      },
      quit: () => app.quit(),
    },
  });
  const watch = watchHealth(hub.state, () => hub.running()?.webhooksPaused() ?? false, tray.show);
  const power = setupPower({
    powerSaveBlocker,
    powerMonitor,
    onResume: () => hub.running()?.resumed(),
    onShutdown: quit.now,
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
      reportAddress(`http://${hub.config().host}:${state.port}`);
    }
    if (state.state === "failed") {
      // Another program may hold the port now.
      lastOrigin = builtInOrigin;
      log.error({ reason: state.reason }, state.error);
    }
    power.keepAwake(state.state === "running");
    window.send(desktopPushes.hubState, state);
    if (state.state !== "restarting") window.follow();
    watch.check();
  });

  const updates = setupUpdates({
    channel: channelOf(app.isPackaged, process.env),
    client: installationOf(app.getVersion(), app.getPath("exe"), process.env),
    backOfficeUrl: () =>
      settings.state().configured ? settings.state().settings.backOffice.url : process.env["ERP_URL"],
    fetch: (address, options) => net.fetch(address, options),
    electronUpdater,
    relaunch: (program) => app.relaunch({ execPath: program, args: [] }),
    openInBrowser: (address) => shell.openExternal(address),
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
    testConnection: (test) => testConnection(test, { world, ownPort: hub.port, passwordFor: settings.passwordFor }),
    setStartAtLogin: (isWanted) =>
      setStartAtLogin(isWanted, {
        platform: process.platform,
        configFolder: app.getPath("appData"),
        program: process.env["APPIMAGE"] ?? app.getPath("exe"),
        setLoginItemSettings: (login) => app.setLoginItemSettings(login),
      }),
    languageChanged() {
      setMenu();
      watch.check();
    },
    async openFolder(folder) {
      await shell.openPath(folder === "logs" ? app.getPath("logs") : dataFolder);
    },
    quit: () => app.quit(),
    log,
  });
  const handle = createHandle(ipcMain, (event) => isOwnSender(event, window.page()?.id, ownOrigins()));
  for (const [method, { channel, args }] of Object.entries(desktopChannels)) {
    handle(channel, args, (...input) => (api[method as keyof typeof api] as (...args: unknown[]) => unknown)(...input));
  }

  void hub.start().then(() => {
    if (!process.argv.includes(hiddenSwitch) || hub.state().state === "failed") window.show();
  });
}

/** The app failed before it had a window to show the error in. */
function giveUp(error: unknown): void {
  dialog.showErrorBox("Comanda Hub", error instanceof Error ? error.message : String(error));
  app.exit(1);
}

function appInfo(dataFolder: string): DesktopInfo {
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  return { appVersion: app.getVersion(), platform, arch: process.arch, packaged: app.isPackaged, dataFolder };
}
