import { EventEmitter } from "node:events";
import type { BrowserWindow, BrowserWindowConstructorOptions } from "electron";
import type { Language } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createMainWindow, type WindowDeps, windowOptions } from "./window.ts";

const shown: FakeWindow[] = [];
/** Chromium error codes with which the next loads fail. */
const failures: string[] = [];

const bridge = { name: "desktop", api: {}, pushes: {} };

/** The few members of Electron's window that ours uses. */
class FakeWindow extends EventEmitter {
  readonly loaded: string[] = [];
  readonly webContents = Object.assign(new EventEmitter(), {
    id: 1,
    send: () => undefined,
    // The preload script removes the language from the address.
    getURL: () => this.loaded.at(-1)?.replace(/\?lang=\w+/, "") ?? "",
    executeJavaScript: () => Promise.resolve('[["comanda-draft-a","1"]]'),
  });
  visible = false;
  destroyed = false;
  constructor(readonly: BrowserWindowConstructorOptions) {
    super();
    expect(readonly.show).toBe(false);
    shown.push(this);
  }
  loadURL(address: string) {
    this.loaded.push(address);
    const code = failures.shift();
    if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
    return Promise.resolve().then(() => void this.emit("ready-to-show"));
  }
  show = () => void (this.visible = true);
  hide = () => void (this.visible = false);
  focus = () => undefined;
  restore = () => undefined;
  isMinimized = () => false;
  isVisible = () => this.visible;
  isDestroyed = () => this.destroyed;
  destroy() {
    this.destroyed = true;
    this.visible = false;
    this.emit("closed");
  }
}

function start(terminal?: WindowDeps["terminal"]) {
  shown.length = 0;
  failures.length = 0;
  const app = { address: "http://127.0.0.1:8766/", language: "es" as Language, quitting: false, gaveUp: 0 };
  const window = createMainWindow({
    BrowserWindow: FakeWindow as unknown as new (options: BrowserWindowConstructorOptions) => BrowserWindow,
    preload: "preload.cjs",
    bridge: () => bridge,
    icon: undefined,
    address: () => app.address,
    language: () => app.language,
    isQuitting: () => app.quitting,
    ...(terminal === undefined ? {} : { terminal }),
    onGaveUp: () => void app.gaveUp++,
    log: { info: () => undefined, error: () => undefined },
  });
  return { app, window };
}

const crash = (window: FakeWindow | undefined) =>
  window?.webContents.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });

it("windows have isolation and a sandbox, and no access to Node [DESK-10]", () => {
  const { webPreferences } = windowOptions("preload.cjs", bridge);
  const preferences = Object.entries({ ...webPreferences, preload: undefined, spellcheck: undefined });
  const named = (expected: boolean) => preferences.flatMap(([name, value]) => (value === expected ? name : []));
  expect(named(true)).toEqual(["contextIsolation", "sandbox", "webSecurity"]);
  expect(named(false)).toEqual([
    "nodeIntegration",
    "nodeIntegrationInWorker",
    "nodeIntegrationInSubFrames",
    "allowRunningInsecureContent",
    "webviewTag",
    "navigateOnDragDrop",
  ]);
});

it("closing a window hides it, the tray shows it again, and only quitting closes it [DESK-5]", async () => {
  const { app, window } = start();
  window.show();
  await new Promise(setImmediate);
  expect(shown[0]?.visible).toBe(true);
  const close = () => {
    let prevented = false;
    shown[0]?.emit("close", { preventDefault: () => (prevented = true) });
    return prevented;
  };
  expect(close()).toBe(true);
  expect(shown[0]?.visible).toBe(false);
  window.show();
  expect(shown).toHaveLength(1);
  expect(shown[0]?.visible).toBe(true);
  app.quitting = true;
  expect(close()).toBe(false);
});

it("a window whose page would lose work closes only if the person confirms [DESK-192, DESK-195]", () => {
  /** What Electron does when a page asks to stay: unless a listener prevents the event, the window stays silently. */
  const isClosed = () => {
    let closes = false;
    shown[0]?.webContents.emit("will-prevent-unload", { preventDefault: () => (closes = true) });
    return closes;
  };
  start().window.show();
  expect(isClosed()).toBe(true);
  let answer = false;
  const parents: unknown[] = [];
  const mayLose = (window: BrowserWindow) => parents.push(window) > 0 && answer;
  start({ isKiosk: () => false, quit: () => undefined, quitNow: () => undefined, mayLose }).window.show();
  expect(isClosed()).toBe(false);
  answer = true;
  expect(isClosed()).toBe(true);
  expect(parents).toEqual([shown[0], shown[0]]);
});

it("a crashed page is replaced, and shown if the old one was [DESK-8]", async () => {
  const { window } = start();
  window.show();
  await new Promise(setImmediate);
  crash(shown[0]);
  await new Promise(setImmediate);
  expect(shown[0]?.destroyed).toBe(true);
  expect(shown[1]?.loaded).toEqual(["http://127.0.0.1:8766/?lang=es"]);
  expect(shown[1]?.visible).toBe(true);
  shown[1]?.hide();
  crash(shown[1]);
  await new Promise(setImmediate);
  expect(shown).toHaveLength(3);
  expect(shown[2]?.visible).toBe(false);
});

it("a window gives up with a message after three crashes in a minute, and opens again on demand [DESK-8]", () => {
  const { app, window } = start();
  window.show();
  for (let n = 0; n < 4; n++) crash(shown.at(-1));
  expect(app.gaveUp).toBe(1);
  expect(shown).toHaveLength(4);
  window.show();
  expect(shown).toHaveLength(5);
});

it("a page that could not be loaded is loaded again, as after a change of the network [DESK-176]", async () => {
  const { window } = start();
  failures.push("ERR_NETWORK_CHANGED", "ERR_CONNECTION_REFUSED");
  window.show();
  await expect.poll(() => shown[0]?.loaded, { timeout: 10_000 }).toHaveLength(3);
  expect(new Set(shown[0]?.loaded)).toEqual(new Set(["http://127.0.0.1:8766/?lang=es"]));
});

it("a page that failed to load does not come back after another has replaced it [DESK-176]", async () => {
  const { app, window } = start();
  failures.push("ERR_NETWORK_CHANGED", "ERR_NETWORK_CHANGED");
  window.show();
  app.address = "http://127.0.0.1:8800/";
  window.follow();
  await expect.poll(() => shown[0]?.loaded, { timeout: 10_000 }).toHaveLength(3);
  expect(shown[0]?.loaded.map((address) => new URL(address).port)).toEqual(["8766", "8800", "8800"]);
});

it("the window follows the hub to its new address, to the same screen and with its drafts [DESK-3] [DESK-29]", async () => {
  const { app, window } = start();
  window.show();
  window.follow();
  expect(shown[0]?.loaded).toHaveLength(1);
  shown[0]?.loaded.push("http://127.0.0.1:8766/#/system");
  window.follow();
  expect(shown[0]?.loaded).toHaveLength(2);
  app.address = "http://127.0.0.1:8800/";
  window.follow();
  await expect
    .poll(() => shown[0]?.loaded.at(-1))
    .toBe("http://127.0.0.1:8800/?drafts=%5B%5B%22comanda-draft-a%22%2C%221%22%5D%5D&lang=es#/system");
});

it("the current language is sent with every page of the hub that is loaded [DESK-68]", async () => {
  const { app, window } = start();
  window.show();
  app.language = "en";
  app.address = "app://desktop/";
  window.follow();
  await expect.poll(() => shown[0]?.loaded.at(-1)).toMatch(/^app:/);
  app.address = "http://127.0.0.1:8800/";
  window.follow();
  const languages = shown[0]?.loaded.map((address) => new URL(address).searchParams.get("lang"));
  expect(languages).toEqual(["es", null, "en"]);
});
