// The bridge: one function per channel; the page sees nothing else of Electron. Bundled to one CommonJS file without the schemas.
import { contextBridge, ipcRenderer } from "electron";
import type { DesktopBridge, desktopPushes } from "@comanda/protocol";
import { restoreDrafts } from "../window/drafts.ts";

type Method = Exclude<keyof DesktopBridge, `on${string}`>;
type Push = (typeof desktopPushes)[keyof typeof desktopPushes];

const methods = [
  "info",
  "getSettings",
  "testSettings",
  "saveSettings",
  "getHubSettings",
  "changeHubSettings",
  "getHubState",
  "getPairing",
  "getUpdate",
  "checkForUpdate",
  "chooseUpdate",
  "restartHub",
  "restoreNewestBackup",
  "beginEmpty",
  "cancelRestore",
  "openLogs",
  "openDataFolder",
  "setLanguage",
  "quit",
] as const satisfies Method[];

const bridge: Record<string, unknown> = {
  onUpdate: subscribe("desktop:update"),
  onHubState: subscribe("desktop:hubState"),
};
for (const method of methods) {
  bridge[method] = (...args: unknown[]) => ipcRenderer.invoke(`desktop:${method}`, ...args);
}
contextBridge.exposeInMainWorld("desktop", bridge);
restoreDrafts(globalThis);

function subscribe(channel: Push) {
  return (listener: (value: unknown) => void) => {
    const relay = (_event: unknown, value: unknown) => listener(value);
    ipcRenderer.on(channel, relay);
    return () => void ipcRenderer.removeListener(channel, relay);
  };
}
