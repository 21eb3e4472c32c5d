// Electron's `app`: life cycle, paths, the single-instance lock and the order of events at a quit.
import { EventEmitter } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { note } from "./effects.ts";

export interface QuitEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventableEvent(): QuitEvent {
  const event = { defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) };
  return event;
}

export interface AppHooks {
  /** Closes every window; resolves to false if one refused. */
  closeWindows(): Promise<boolean>;
  /** Stops everything that the stand-in itself has started. */
  dispose(): Promise<void>;
}

export function createApp(appPath: string, argv: string[]) {
  const descriptor = JSON.parse(readFileSync(path.join(appPath, "package.json"), "utf8")) as Record<string, string>;
  let name = descriptor["productName"] ?? descriptor["name"] ?? "Electron";
  const paths = new Map<string, string>();
  const switches = new Map<string, string>();
  const ready = Promise.withResolvers<void>();
  const hooks: AppHooks = { closeWindows: () => Promise.resolve(true), dispose: () => Promise.resolve() };
  let isReady = false;
  let isQuitting = false;
  let releaseLock = () => undefined as void;
  let argumentsSent: Promise<unknown> = Promise.resolve();

  const getPath = (key: string): string => {
    const custom = paths.get(key);
    if (custom !== undefined) return custom;
    if (key === "userData") return path.join(getPath("appData"), name);
    if (key === "appData") return process.env["XDG_CONFIG_HOME"] ?? path.join(os.homedir(), ".config");
    if (key === "logs") return path.join(getPath("userData"), "logs");
    if (key === "home") return os.homedir();
    if (key === "exe") return process.execPath;
    return os.tmpdir();
  };

  const quit = async () => {
    if (isQuitting) return;
    isQuitting = true;
    const beforeQuit = preventableEvent();
    app.emit("before-quit", beforeQuit);
    if (beforeQuit.defaultPrevented || !(await hooks.closeWindows())) return void (isQuitting = false);
    const willQuit = preventableEvent();
    app.emit("will-quit", willQuit);
    if (willQuit.defaultPrevented) return void (isQuitting = false);
    await argumentsSent;
    exit(0);
  };

  const exit = (code = 0) => {
    app.emit("quit", {}, code);
    releaseLock();
    void hooks.dispose().finally(() => process.exit(code));
  };

  const app = Object.assign(new EventEmitter(), {
    isPackaged: false,
    name,
    commandLine: {
      appendSwitch: (key: string, value = "") => void switches.set(key, value),
      hasSwitch: (key: string) => argv.some((arg) => arg === `--${key}` || arg.startsWith(`--${key}=`)),
      getSwitchValue: (key: string) => argv.find((arg) => arg.startsWith(`--${key}=`))?.split("=", 2)[1] ?? "",
    },
    whenReady: () => ready.promise,
    isReady: () => isReady,
    quit: () => void quit(),
    exit,
    relaunch: (options?: unknown) => note("app.relaunch", options),
    focus: () => note("app.focus"),
    enableSandbox: () => note("app.enableSandbox"),
    getAppPath: () => appPath,
    getVersion: () => descriptor["version"] ?? "0.0.0",
    getName: () => name,
    setName: (value: string) => void (name = value),
    getLocale: () => "en-US",
    getPreferredSystemLanguages: () => [(process.env["LANG"] ?? "en_US").split(".")[0]?.replace("_", "-") ?? "en-US"],
    getPath,
    setPath: (which: string, value: string) => void paths.set(which, value),
    setAppLogsPath: (value: string) => void paths.set("logs", value),
    setAppUserModelId: (id: string) => note("app.setAppUserModelId", id),
    setLoginItemSettings: (settings: object) => note("app.setLoginItemSettings", settings),
    getLoginItemSettings: () => ({ openAtLogin: false }),
    getGPUFeatureStatus: () => ({}),
    requestSingleInstanceLock: () => {
      const lock = takeLock(getPath("userData"), argv, (otherArgv) =>
        app.emit("second-instance", {}, otherArgv, process.cwd()),
      );
      releaseLock = lock.release;
      argumentsSent = lock.argumentsSent;
      return lock.isOwner;
    },
    releaseSingleInstanceLock: () => releaseLock(),
    hasSingleInstanceLock: () => true,
  });

  const becomeReady = () => {
    isReady = true;
    ready.resolve();
    app.emit("ready", {}, {});
  };
  return { app, hooks, switches, becomeReady, isQuitting: () => isQuitting };
}

/** Takes the lock: the first process on a profile listens on a local socket; later ones send it their arguments and end. */
function takeLock(folder: string, argv: string[], onSecondInstance: (argv: string[]) => void) {
  mkdirSync(folder, { recursive: true });
  const socket = path.join(folder, "lock.sock");
  const pidFile = path.join(folder, "lock.pid");
  if (existsSync(pidFile) && isAlive(Number(readFileSync(pidFile, "utf8")))) {
    const peer = connect(socket).on("error", () => undefined);
    const argumentsSent = new Promise((resolve) => peer.once("close", resolve));
    peer.end(JSON.stringify(argv));
    return { isOwner: false, argumentsSent, release: () => undefined };
  }
  rmSync(socket, { force: true });
  writeFileSync(pidFile, String(process.pid));
  const server = createServer({ allowHalfOpen: false }, (peer) => {
    let text = "";
    peer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    peer.on("end", () => onSecondInstance(JSON.parse(text) as string[]));
    peer.on("error", () => undefined);
  });
  server.listen(socket).unref();
  return {
    isOwner: true,
    argumentsSent: Promise.resolve(),
    release: () => {
      server.close();
      rmSync(pidFile, { force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}
