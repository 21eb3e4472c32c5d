import path from "node:path";
import { app, ipcMain, Menu, net, safeStorage, session, shell } from "electron";
import electronUpdater from "electron-updater";
import { z } from "zod";
import { settingNames, type DesktopInfo } from "@comanda/protocol";
import { unknownSettings } from "@comanda/protocol/unknown-settings.ts";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { createHandle, isOwnSender } from "./bridge/ipc.ts";
import type { Bridge } from "./bridge/offer.ts";
import { countBackups, validConfig } from "./hub/desktop-hub.ts";
import { createLogFile } from "./hub/log-file.ts";
import { argumentsOfNextStart, saveForInstaller, startAfter } from "./next-start.ts";
import { setStartAtLogin } from "./settings/login-item.ts";
import { createSettingsStore } from "./settings/settings.ts";
import { channelOf, installationOf, setupUpdates, type UpdateDeps } from "./updates/updates.ts";
import { applicationMenu } from "./window/menu.ts";
import { guardCertificates, guardContents, guardSession } from "./window/navigation-policy.ts";
import { textsOf } from "./window/texts.ts";

const nothing = z.tuple([]);
const program = () => process.env["APPIMAGE"] ?? app.getPath("exe");

/** The parts that both roles of the app use. */
export type AppParts = ReturnType<typeof setupApp>;

interface ServedBridge extends Bridge {
  /** Argument schemas by method. A method not listed takes no arguments. */
  takes: Readonly<Record<string, z.ZodType<unknown[]>>>;
  contentsId: () => number | undefined;
  ownOrigins: () => string[];
}

/**
 * Opens the settings and the log, and prepares what both roles use. Must be called once the app is ready. `usualProfile`:
 * profile folder of an app started without arguments.
 */
export function setupApp(usualProfile: string) {
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
  // The first run offers only older backups: a new hub soon makes one of its own.
  const backupsAtStart = countBackups(settings);
  app.setAppLogsPath(path.join(dataFolder, "logs"));
  const logFile = createLogFile(app.getPath("logs"), process.stdout);
  const log = createLog(validConfig(settings)?.logLevel ?? "info", logFile, "desktop-app");
  if (isPlainText)
    log.warn("this machine has no key store: the back-office password is only as safe as the app's own folder");
  for (const warning of unknownSettings(process.env, settingNames)) log.warn(warning);
  const damage = settings.damage();
  if (damage !== null) log.warn(damage);
  const texts = () => textsOf(settings.language());

  return {
    /** The folder of the bundle. */
    here: import.meta.dirname,
    dataFolder,
    info: appInfo(dataFolder),
    settings,
    log,
    world: realWorld(log),
    texts,
    setMenu(): void {
      const template = applicationMenu(process.platform, texts(), () => app.quit());
      Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    },
    setStartAtLogin: (isEnabled: boolean): void =>
      setStartAtLogin(isEnabled, {
        platform: process.platform,
        configFolder: app.getPath("appData"),
        program: program(),
        args: argumentsOfNextStart(process.argv),
        setLoginItemSettings: (login) => app.setLoginItemSettings(login),
      }),
    /** Keeps every page on these origins. `more` are permissions beside the usual ones. */
    guardPages(ownOrigins: () => string[], more?: readonly string[]): void {
      guardSession(session.defaultSession, ownOrigins, more);
      guardCertificates(app);
      app.on("web-contents-created", (_event, contents) =>
        guardContents(contents, ownOrigins, (address) => shell.openExternal(address)),
      );
    },
    serveBridge({ name, api, takes, contentsId, ownOrigins }: ServedBridge): void {
      const handle = createHandle(ipcMain, (event) => isOwnSender(event, contentsId(), ownOrigins()));
      for (const [method, work] of Object.entries<(...args: unknown[]) => unknown>({ ...api })) {
        handle(`${name}:${method}`, takes[method] ?? nothing, work);
      }
    },
    setupUpdates: (role: Pick<UpdateDeps, "stopHub" | "startHub" | "onState">) =>
      setupUpdates({
        channel: channelOf(app.isPackaged, process.env),
        client: installationOf(app.getVersion(), app.getPath("exe"), process.env),
        backOfficeUrl: () =>
          settings.state().configured ? settings.state().settings.backOffice.url : process.env["ERP_URL"],
        fetch: (address, options) => net.fetch(address, options),
        electronUpdater,
        relaunch,
        leaveForInstaller() {
          if (process.platform === "win32") saveForInstaller(usualProfile, app.getVersion(), process.argv);
        },
        openInBrowser: (address) => shell.openExternal(address),
        log,
        ...role,
      }),
    /** Restarts the app once it has quit, in the role saved by then. */
    relaunch: (): void => relaunch(program()),
  };
}

function relaunch(execPath: string): void {
  const args = argumentsOfNextStart(process.argv);
  if (process.env["APPIMAGE"] === undefined) app.relaunch({ execPath, args });
  else startAfter(process.pid, execPath, args);
}

function appInfo(dataFolder: string): DesktopInfo {
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  return { appVersion: app.getVersion(), platform, arch: process.arch, packaged: app.isPackaged, dataFolder };
}
