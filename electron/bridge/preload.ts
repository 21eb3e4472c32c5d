/// <reference lib="dom" />
import { contextBridge, ipcRenderer } from "electron";
import { restoreDrafts } from "../window/drafts.ts";
import { restoreLanguage } from "../window/page-language.ts";
import { readOffer } from "./offer.ts";

/**
 * Exposes `window[name]` to the page: per method a function that calls the channel `name:method`, per push a function that
 * subscribes to it and returns the unsubscribe function. The page gets nothing else from Electron.
 */
const { name, methods, pushes } = readOffer(process.argv);
contextBridge.exposeInMainWorld(name, {
  ...Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => call(method, args)])),
  ...Object.fromEntries(Object.entries(pushes).map(([push, channel]) => [push, subscribe(channel)])),
});
restoreDrafts(globalThis);
restoreLanguage(globalThis);

function call(method: string, args: unknown[]): Promise<unknown> {
  return ipcRenderer.invoke(`${name}:${method}`, ...args);
}

function subscribe(channel: string) {
  return (listener: (value: unknown) => void) => {
    const relay = (_event: unknown, value: unknown) => listener(value);
    ipcRenderer.on(channel, relay);
    return () => void ipcRenderer.removeListener(channel, relay);
  };
}
