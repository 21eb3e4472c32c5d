/// <reference lib="dom" />
import { contextBridge, ipcRenderer } from "electron";
import { restoreDrafts } from "../window/drafts.ts";
import { restoreLanguage } from "../window/page-language.ts";
import { readOffer } from "./offer.ts";

/**
 * Gives the page `window[name]`: one function for each method, which calls the channel `name:method`, and one for each push,
 * which listens to it and returns what ends that. The page sees nothing else of Electron.
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
