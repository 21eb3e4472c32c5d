import { contextBridge, ipcRenderer } from "electron";

/**
 * Gives the page `window[name]`: one function for each method, which calls the channel `name:method`, and these
 * subscriptions. The page sees nothing else of Electron.
 */
export function exposeBridge(name: string, methods: readonly string[], subscriptions: Record<string, unknown>): void {
  const bridge: Record<string, unknown> = { ...subscriptions };
  for (const method of methods) {
    bridge[method] = (...args: unknown[]) => ipcRenderer.invoke(`${name}:${method}`, ...args);
  }
  contextBridge.exposeInMainWorld(name, bridge);
}

/** A function by which the page listens to a push; it returns one that ends the subscription. */
export function subscribe(channel: string) {
  return (listener: (value: unknown) => void) => {
    const relay = (_event: unknown, value: unknown) => listener(value);
    ipcRenderer.on(channel, relay);
    return () => void ipcRenderer.removeListener(channel, relay);
  };
}
