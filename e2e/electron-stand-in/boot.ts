// Runs an Electron app's compiled main file in Node, with its windows in Chromium. Started by the script `electron` beside it.
import inspector from "node:inspector";
import { createRequire, registerHooks } from "node:module";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createApp } from "./app.ts";
import { BrowserWindow, closeAllWindows, connectWindows } from "./browser-window.ts";
import { startChromium, type Chromium } from "./chromium.ts";
import { ipcMain } from "./ipc.ts";
import { net } from "./net.ts";
import { protocol, session } from "./session.ts";
import * as system from "./system.ts";
import { WebContents } from "./web-contents.ts";

const args = process.argv.slice(2);
const { appPath, preloads } = readArguments(args);
process.argv = [process.execPath, ...args];
Object.assign(process, {
  type: "browser",
  defaultApp: true,
  resourcesPath: path.join(import.meta.dirname, "resources"),
});
Object.assign(process.versions, { electron: "45.5.0", chrome: "156.0.0.0", standIn: "1" });
process.stderr.write(
  "stand-in for Electron: Node runs the main process, Chromium shows the windows; real Electron is absent\n",
);

let chromium: Chromium | undefined;
const { app, hooks, switches, becomeReady, isQuitting } = createApp(appPath, args);
const requireChromium = () => {
  if (chromium === undefined) throw new Error("Cannot create BrowserWindow before app is ready");
  return chromium;
};
const allClosed = () => {
  if (isQuitting()) return;
  if (app.listenerCount("window-all-closed") === 0) app.quit();
  else app.emit("window-all-closed");
};
connectWindows({
  browser: requireChromium,
  created: (contents) => void app.emit("web-contents-created", {}, contents),
  allClosed,
});
hooks.closeWindows = closeAllWindows;
hooks.dispose = async () => chromium?.close();

serveElectronModule({
  app,
  BrowserWindow,
  webContents: WebContents,
  ipcMain,
  net,
  protocol,
  session,
  autoUpdater: undefined,
  ...system,
});

if (args.includes("--inspect=0")) inspector.open(0, "127.0.0.1");
const require = createRequire(import.meta.url);
for (const file of preloads) require(path.resolve(file));
if (process.listenerCount("SIGTERM") === 0)
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => app.quit());

await import(pathToFileURL(mainFile(appPath)).href);
if (!isQuitting()) start();

function start() {
  const profile = path.join(app.getPath("userData"), "stand-in-profile");
  const appSwitches = [...switches].map(([name, value]) => (value === "" ? `--${name}` : `--${name}=${value}`));
  const sandbox = args.includes("--no-sandbox") || process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const fixedSwitches = [`--user-data-dir=${profile}`, "--remote-debugging-port=0", "--no-first-run", "--mute-audio"];
  chromium = startChromium([...fixedSwitches, ...sandbox, ...appSwitches], () => app.exit(1));
  void chromium.send("Target.setDiscoverTargets", { discover: true }).then(becomeReady);
}

/** Makes `import … from "electron"` and `require("electron")` resolve to `parts`, in the app and in its packages. */
function serveElectronModule(parts: Record<string, unknown>) {
  Object.assign(globalThis, { standInElectron: parts });
  const names = Object.keys(parts).map((name) => `exports.${name} = globalThis.standInElectron.${name};`);
  const url = pathToFileURL(path.join(import.meta.dirname, "electron-module.cjs")).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isElectron = specifier === "electron" || specifier.startsWith("electron/");
      return isElectron ? { url, format: "commonjs", shortCircuit: true } : next(specifier, context);
    },
    load(address, context, next) {
      return address === url
        ? { format: "commonjs", source: names.join("\n"), shortCircuit: true }
        : next(address, context);
    },
  });
}

/** Parses the arguments: `-r FILE` preloads FILE; the first argument that is not a switch is the app's folder. */
function readArguments(argv: string[]) {
  const files: string[] = [];
  let folder: string | undefined;
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index] ?? "";
    if (arg === "-r" || arg === "--require") files.push(argv[++index] ?? "");
    else if (!arg.startsWith("-")) folder ??= arg;
  }
  return { appPath: path.resolve(folder ?? "."), preloads: files };
}

function mainFile(folder: string): string {
  const { main } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { main?: string };
  return path.join(folder, main ?? "index.js");
}
