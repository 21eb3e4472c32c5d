import type { BrowserWindow, BrowserWindowConstructorOptions } from "electron";
import { collectDrafts, withDrafts } from "./drafts.ts";

/** The part of a window's page that the app touches. */
type Page = Pick<BrowserWindow["webContents"], "id" | "send" | "getURL">;

export interface WindowParts {
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow;
  preload: string;
  icon: string | undefined;
  /** The address to show now: the hub's own page, or the built-in one. */
  address: () => string;
  /** True once the app is on its way out: only then does closing mean closing. */
  isQuitting: () => boolean;
  onGaveUp: () => void;
  /** Windows only: the person signs out or the system goes down. */
  onSessionEnd: () => void;
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void };
}

export interface MainWindow {
  /** Shows the window, makes it first where there is none. */
  show: () => void;
  hide: () => void;
  /** Loads the address of now, unless the window is on that page already. */
  follow: () => void;
  page: () => Page | undefined;
  send: (channel: string, value: unknown) => void;
  isShown: () => boolean;
}

const CRASHES_TAKEN = 3;
const CRASH_WINDOW_MS = 60_000;
/** How long an answer takes to its page, and the page to take it. */
const ANSWER_MS = 250;
/** A page that hangs for so long is treated as crashed. */
const PATIENCE_MS = 15_000;

/** What every window is made with: nothing of Node in the page, a sandbox around it, and no way to another page. */
export function windowOptions(preload: string, icon?: string): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    minWidth: 800,
    minHeight: 600,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: "#101418",
    title: "Comanda Hub",
    ...(icon === undefined ? {} : { icon }),
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  };
}

/** The one window: closing hides it, a crash brings a new one on the same page, and the hub notices neither. */
export function createMainWindow(parts: WindowParts): MainWindow {
  let window: BrowserWindow | undefined;
  let crashes: number[] = [];

  const open = (show: boolean) => {
    const made = new parts.BrowserWindow(windowOptions(parts.preload, parts.icon));
    window = made;
    if (show) made.once("ready-to-show", () => made.show());
    made.on("close", (event) => {
      if (parts.isQuitting()) return;
      event.preventDefault();
      made.hide();
    });
    made.on("session-end", parts.onSessionEnd);
    made.on("closed", () => {
      if (window === made) window = undefined;
    });
    made.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
      if (reason !== "clean-exit") replace(made, reason, exitCode);
    });
    let patience: NodeJS.Timeout | undefined;
    made.webContents.on("unresponsive", () => {
      parts.log.error({}, "the window does not answer");
      patience = setTimeout(() => made.isDestroyed() || made.webContents.forcefullyCrashRenderer(), PATIENCE_MS);
    });
    made.webContents.on("responsive", () => clearTimeout(patience));
    made.once("closed", () => clearTimeout(patience));
    load(made);
    return made;
  };

  const load = (target: BrowserWindow, address = parts.address()) => {
    target.loadURL(address).catch((error: unknown) => {
      if (!target.isDestroyed()) parts.log.error({ address, err: error }, "the page could not be loaded");
    });
  };

  /** To the hub's new address: the page first takes the answer to what it saved, then moves with place and drafts. */
  const move = async (target: BrowserWindow, hash: string) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    if (target.isDestroyed()) return;
    const read = target.webContents.executeJavaScript(collectDrafts) as Promise<string>;
    const drafts = await read.catch(() => "[]");
    if (!target.isDestroyed()) load(target, withDrafts(parts.address() + hash, drafts));
  };

  const replace = (crashed: BrowserWindow, reason: string, exitCode: number) => {
    parts.log.error({ reason, exitCode }, "the window crashed; the hub goes on");
    const wasShown = crashed.isVisible();
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    window = undefined;
    crashed.destroy();
    if (crashes.length > CRASHES_TAKEN) return parts.onGaveUp();
    open(wasShown);
  };

  return {
    show() {
      if (window === undefined) return void open(true);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    hide: () => window?.hide(),
    follow() {
      const [page = "", hash = ""] = window?.webContents.getURL().split("#") ?? [];
      // The screens keep their place in the hash: a window on the right page is left where it is.
      if (window === undefined || page === parts.address()) return;
      if (page.startsWith("http:")) void move(window, hash === "" ? "" : `#${hash}`);
      else load(window);
    },
    page: () => window?.webContents,
    send: (channel, value) => window?.webContents.send(channel, value),
    isShown: () => window?.isVisible() ?? false,
  };
}
