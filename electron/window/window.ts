import type { BrowserWindow, BrowserWindowConstructorOptions } from "electron";
import { codeOf } from "@comanda/hub/platform/error-facts.ts";
import type { Language } from "@comanda/protocol";
import { type Bridge, offerArgument } from "../bridge/offer.ts";
import { collectDrafts, withDrafts } from "./drafts.ts";
import { withLanguage } from "./page-language.ts";

export interface WindowDeps {
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow;
  preload: string;
  /** The bridge offered to the page. */
  bridge: () => Bridge;
  icon: string | undefined;
  /** The address to show: the hub's own page, or the built-in one. */
  address: () => string;
  /** The operator's language, passed to each loaded page in its address. */
  language: () => Language;
  /** Whether the app is quitting: only then does closing the window really close it. */
  isQuitting: () => boolean;
  /**
   * Set for a terminal's window, which quits the app when closed. `mayLose` asks whether it may close although its page would
   * lose something, over that window so that a kiosk cannot hide the dialog. `quitNow`: Windows ends the session.
   */
  terminal?: {
    isKiosk: () => boolean;
    quit: () => void;
    quitNow: () => void;
    mayLose: (window: BrowserWindow) => boolean;
  };
  onGaveUp: () => void;
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void };
}

const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
/** Time for the answer to a save to reach its page before the window leaves that page. */
const ANSWER_MS = 250;
/** A page that hangs for this long is treated as crashed. */
const HANG_MS = 15_000;
/** Delay before a failed page load is retried. */
const RELOAD_MS = 1_000;

/** Returns the options of every window: sandboxed, without Node in the page. */
export function windowOptions(
  preload: string,
  bridge: Bridge,
  icon?: string,
  terminal?: { isKiosk: boolean },
): BrowserWindowConstructorOptions {
  return {
    width: 1280,
    height: 800,
    // A terminal may be a small tablet in portrait mode.
    ...(terminal === undefined ? { minWidth: 800, minHeight: 600 } : { minWidth: 360, minHeight: 480 }),
    ...(terminal?.isKiosk === true ? { kiosk: true } : {}),
    show: false,
    autoHideMenuBar: true,
    backgroundColor: "#101418",
    title: "Comanda Hub",
    ...(icon === undefined ? {} : { icon }),
    webPreferences: {
      preload,
      additionalArguments: [offerArgument(bridge)],
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

/**
 * Manages the app's only window. After a crash, a new window replaces it on the same page; the hub is not affected. Closing
 * hides it, except for a terminal's window, which quits.
 */
export function createMainWindow(deps: WindowDeps) {
  let window: BrowserWindow | undefined;
  let crashes: number[] = [];
  let loads = 0;

  const open = (show: boolean) => {
    const terminal = deps.terminal === undefined ? undefined : { isKiosk: deps.terminal.isKiosk() };
    const created = new deps.BrowserWindow(windowOptions(deps.preload, deps.bridge(), deps.icon, terminal));
    window = created;
    if (show) created.once("ready-to-show", () => created.show());
    created.on("close", (event) => {
      if (deps.isQuitting()) return;
      event.preventDefault();
      if (deps.terminal === undefined) created.hide();
      else deps.terminal.quit();
    });
    // A browser asks the person itself. Electron does not, and the window would stay open silently.
    created.webContents.on("will-prevent-unload", (event) => {
      if (deps.terminal?.mayLose(created) !== false) event.preventDefault();
    });
    if (deps.terminal !== undefined) created.on("session-end", deps.terminal.quitNow);
    created.on("closed", () => {
      if (window === created) window = undefined;
    });
    created.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
      if (reason !== "clean-exit") replace(created, reason, exitCode);
    });
    let hangTimer: NodeJS.Timeout | undefined;
    created.webContents.on("unresponsive", () => {
      deps.log.error({}, "the window does not answer");
      hangTimer = setTimeout(() => created.isDestroyed() || created.webContents.forcefullyCrashRenderer(), HANG_MS);
    });
    created.webContents.on("responsive", () => clearTimeout(hangTimer));
    created.once("closed", () => clearTimeout(hangTimer));
    load(created);
    return created;
  };

  /** Loads a page and retries. Chromium aborts a load when the network changes, even for this PC, and never retries. */
  const load = (target: BrowserWindow, address = deps.address(), isFirst = true) => {
    const thisLoad = (loads += 1);
    const isOver = () => target.isDestroyed() || thisLoad !== loads;
    target.loadURL(withLanguage(address, deps.language())).catch((error: unknown) => {
      if (isOver()) return;
      if (isFirst) deps.log.error({ address, err: error }, "the page could not be loaded");
      // The page itself navigated elsewhere.
      if (codeOf(error) === "ERR_ABORTED") return;
      setTimeout(() => isOver() || load(target, address, false), RELOAD_MS).unref();
    });
  };

  /** Moves to the hub's new address with the screen and its drafts, after the page got the answer to its save. */
  const move = async (target: BrowserWindow, hash: string) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    if (target.isDestroyed()) return;
    const read = target.webContents.executeJavaScript(collectDrafts) as Promise<string>;
    const drafts = await read.catch(() => "[]");
    if (!target.isDestroyed()) load(target, withDrafts(deps.address() + hash, drafts));
  };

  const replace = (crashed: BrowserWindow, reason: string, exitCode: number) => {
    deps.log.error({ reason, exitCode }, "the window crashed and is replaced");
    const wasShown = crashed.isVisible();
    const now = performance.now();
    crashes = [...crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
    window = undefined;
    crashed.destroy();
    if (crashes.length > MAX_CRASHES) return deps.onGaveUp();
    open(wasShown);
  };

  return {
    /** Shows the window, creating it first if there is none. */
    show() {
      if (window === undefined) return void open(true);
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    /** Loads the current address unless the window already shows that page. */
    follow() {
      const [address = "", hash = ""] = window?.webContents.getURL().split("#") ?? [];
      const [page = ""] = address.split("?");
      // The screens keep their position in the hash: a window on the right page stays unchanged.
      if (window === undefined || page === deps.address()) return;
      if (page.startsWith("http:")) void move(window, hash === "" ? "" : `#${hash}`);
      else load(window);
    },
    setKiosk: (isEnabled: boolean) => window?.setKiosk(isEnabled),
    page: () => window?.webContents,
    send: (channel: string, value: unknown) => window?.webContents.send(channel, value),
  };
}
