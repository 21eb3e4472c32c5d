// Electron's `BrowserWindow` over a headless Chromium page. As nothing is visible, shown, focused and minimised are only flags.
import { EventEmitter } from "node:events";
import { preventableEvent } from "./app.ts";
import type { Chromium } from "./chromium.ts";
import { WebContents, type WebPreferences } from "./web-contents.ts";

export interface WindowOptions {
  width?: number;
  height?: number;
  show?: boolean;
  title?: string;
  kiosk?: boolean;
  webPreferences?: WebPreferences;
}

const windows = new Set<BrowserWindow>();
let lastId = 0;
let runtime: WindowRuntime | undefined;

interface WindowRuntime {
  /** Returns the running browser, which exists only after 'ready'. */
  browser: () => Chromium;
  created: (contents: WebContents) => void;
  /** Called when the last window has closed. */
  allClosed: () => void;
}

export function connectWindows(parts: WindowRuntime): void {
  runtime = parts;
}

/** Closes every window as a quit does; resolves to false if one of them refused. */
export async function closeAllWindows(): Promise<boolean> {
  for (const window of windows) window.close();
  await Promise.resolve();
  return windows.size === 0;
}

export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId;
  readonly options: WindowOptions;
  readonly webContents: WebContents;
  #visible: boolean;
  #minimized = false;
  #fullScreen = false;
  #kiosk: boolean;
  #destroyed = false;

  static getAllWindows = () => [...windows];
  static fromWebContents = (contents: WebContents) =>
    [...windows].find((window) => window.webContents === contents) ?? null;
  static fromId = (id: number) => [...windows].find((window) => window.id === id) ?? null;
  static getFocusedWindow = () => [...windows].find((window) => window.isFocused()) ?? null;

  constructor(options: WindowOptions = {}) {
    super();
    this.options = options;
    this.#visible = options.show ?? true;
    this.#kiosk = options.kiosk ?? false;
    const browser = runtime?.browser();
    if (browser === undefined) throw new Error("there is no browser");
    const size = { width: options.width ?? 800, height: options.height ?? 600 };
    this.webContents = new WebContents(browser, options.webPreferences ?? {}, size);
    this.webContents.closeWindow = () => this.close();
    this.webContents.once("destroyed", () => this.#gone());
    this.webContents.once("stand-in-loaded", () => this.emit("ready-to-show"));
    windows.add(this);
    runtime?.created(this.webContents);
  }

  loadURL = (address: string) => this.webContents.loadURL(address);
  reload = () => this.webContents.reload();

  show(): void {
    this.#minimized = false;
    this.#visible = true;
    this.emit("show");
    this.emit("focus");
  }
  hide(): void {
    this.#visible = false;
    this.emit("hide");
  }
  focus = () => void this.emit("focus");
  minimize(): void {
    this.#minimized = true;
    this.emit("minimize");
  }
  restore(): void {
    this.#minimized = false;
    this.emit("restore");
  }
  close(): void {
    const event = preventableEvent();
    this.emit("close", event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    if (this.#destroyed) return;
    void this.webContents.closeTarget();
    this.#gone();
  }
  #gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windows.delete(this);
    this.emit("closed");
    if (windows.size === 0) runtime?.allClosed();
  }
  setFullScreen = (on: boolean) => void (this.#fullScreen = on);
  isFullScreen = () => this.#fullScreen;
  setKiosk = (on: boolean) => void (this.#kiosk = on);
  isKiosk = () => this.#kiosk;
  isVisible = () => this.#visible && !this.#minimized;
  isMinimized = () => this.#minimized;
  isFocused = () => this.isVisible();
  isDestroyed = () => this.#destroyed;
  getBounds = () => ({ x: 0, y: 0, width: this.options.width ?? 800, height: this.options.height ?? 600 });
  getNormalBounds = () => this.getBounds();
  setBounds = () => undefined;
  isMaximized = () => false;
  maximize = () => undefined;
  setTitle = () => undefined;
  setMenu = () => undefined;
  removeMenu = () => undefined;
  setMenuBarVisibility = () => undefined;
  setProgressBar = () => undefined;
  flashFrame = () => undefined;
  setOverlayIcon = () => undefined;
}
