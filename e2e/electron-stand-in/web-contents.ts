// A Chromium page as Electron's `webContents`: loading, preload script, ipc, blocked navigation, crashes.
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { preventableEvent } from "./app.ts";
import type { Chromium, Params } from "./chromium.ts";
import { encodeEvent, receiveFromPreload } from "./ipc.ts";
import { bindingName, deliverName, pageScripts, preloadWorld } from "./page-runtime.ts";
import { answerScheme, fromChromium, grantedNetwork, session, toChromium, type PageRequest } from "./session.ts";

export interface WebPreferences {
  preload?: string;
  additionalArguments?: readonly string[];
  [option: string]: unknown;
}

type WindowOpenHandler = (details: { url: string }) => { action: "allow" | "deny" };

const open = new Set<WebContents>();
let lastId = 0;

export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly session = session.defaultSession;
  readonly webPreferences: WebPreferences;
  readonly attached: Promise<void>;
  targetId = "";
  closeWindow: () => void = () => undefined;
  readonly mainFrame: {
    readonly url: string;
    readonly origin: string;
    readonly parent: null;
    readonly detached: boolean;
  };
  readonly #chromium: Chromium;
  #sessionId = "";
  #url = "";
  #expected: string | undefined;
  #preloadContext: number | undefined;
  #destroyed = false;
  #crashed = false;
  #loading = false;
  #deniedWindows = 0;
  #windowOpenHandler: WindowOpenHandler = () => ({ action: "allow" });

  static fromDevToolsTargetId = (targetId: string) => [...open].find((contents) => contents.targetId === targetId);
  static fromId = (id: number) => [...open].find((contents) => contents.id === id);
  static getAllWebContents = () => [...open];

  constructor(chromium: Chromium, webPreferences: WebPreferences, size: { width: number; height: number }) {
    super();
    this.#chromium = chromium;
    this.webPreferences = webPreferences;
    const url = () => this.#url;
    this.mainFrame = {
      parent: null,
      detached: false,
      get url() {
        return url();
      },
      get origin() {
        const { protocol, host, origin } = new URL(url());
        return origin === "null" ? `${protocol}//${host}` : origin;
      },
    };
    open.add(this);
    this.attached = this.#attach(size);
  }

  async #attach(size: { width: number; height: number }): Promise<void> {
    const browser = this.#chromium;
    ({ targetId: this.targetId } = await browser.send<{ targetId: string }>("Target.createTarget", {
      url: "about:blank",
    }));
    ({ sessionId: this.#sessionId } = await browser.send<{ sessionId: string }>("Target.attachToTarget", {
      targetId: this.targetId,
      flatten: true,
    }));
    this.#listen();
    const { preload, additionalArguments = [] } = this.webPreferences;
    const argv = [process.execPath, ...additionalArguments];
    const scripts = pageScripts(preload === undefined ? undefined : readFileSync(preload, "utf8"), argv);
    await Promise.all([
      this.#send("Page.enable"),
      this.#send("Runtime.enable"),
      this.#send("Inspector.enable"),
      this.#send("Fetch.enable", { patterns: [{ urlPattern: "http://*.localhost/*" }, { resourceType: "Document" }] }),
      this.#send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false }),
      this.#send("Runtime.addBinding", { name: bindingName, executionContextName: preloadWorld }),
      this.#send("Page.addScriptToEvaluateOnNewDocument", { source: scripts.main }),
      scripts.preload === undefined
        ? undefined
        : this.#send("Page.addScriptToEvaluateOnNewDocument", { source: scripts.preload, worldName: preloadWorld }),
    ]);
  }

  #listen(): void {
    const on = (method: string, handler: (params: never) => void) => {
      const listener = (params: unknown, sessionId: string | undefined) => {
        if (sessionId === this.#sessionId) handler(params as never);
      };
      this.#chromium.events.on(method, listener);
      this.once("destroyed", () => this.#chromium.events.off(method, listener));
    };
    on("Runtime.executionContextCreated", ({ context }: { context: { id: number; name: string; auxData: Params } }) => {
      if (context.name === preloadWorld && context.auxData["frameId"] === this.targetId)
        this.#preloadContext = context.id;
    });
    on("Runtime.bindingCalled", ({ payload, executionContextId }: { payload: string; executionContextId: number }) => {
      if (executionContextId === this.#preloadContext) void receiveFromPreload(this, payload);
    });
    on("Page.frameNavigated", ({ frame }: { frame: { id: string; parentId?: string; url: string } }) => {
      if (frame.parentId !== undefined) return;
      this.#url = fromChromium(frame.url);
      this.emit("did-navigate", {}, this.#url);
    });
    on("Page.navigatedWithinDocument", ({ frameId, url }: { frameId: string; url: string }) => {
      if (frameId === this.targetId) this.#url = fromChromium(url);
    });
    on("Page.loadEventFired", () => {
      this.#loading = false;
      this.emit("did-finish-load", {});
      this.emit("stand-in-loaded");
    });
    on("Fetch.requestPaused", (paused: PausedRequest) => void this.#answer(paused));
    on("Inspector.targetCrashed", () => {
      this.#crashed = true;
      this.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });
    });
    this.#chromium.events.on("Target.targetDestroyed", ({ targetId }: { targetId: string }) => {
      if (targetId === this.targetId) this.markDestroyed();
    });
    on("Page.windowOpen", ({ url }: { url: string }) => {
      if (this.#windowOpenHandler({ url }).action === "deny") this.#deniedWindows += 1;
    });
    const onNewTarget = ({ targetInfo }: { targetInfo: Record<string, string> }) => {
      if (targetInfo["type"] === "page" && this.#deniedWindows > 0) this.#closeDenied(targetInfo["targetId"] ?? "");
    };
    this.#chromium.events.on("Target.targetCreated", onNewTarget);
    this.once("destroyed", () => this.#chromium.events.off("Target.targetCreated", onNewTarget));
  }

  /** Blocks a navigation of the page that the app forbids, serves the app's own schemes, and lets other requests through. */
  async #answer(paused: PausedRequest): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused;
    const isMainDocument = resourceType === "Document" && frameId === this.targetId;
    if (isMainDocument && request.url !== this.#expected) {
      const event = Object.assign(preventableEvent(), { url: fromChromium(request.url), isMainFrame: true });
      this.emit("will-navigate", event, event.url);
      if (event.defaultPrevented) return this.#quietly("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    }
    const answer = await answerScheme(request);
    if (answer === undefined) return this.#quietly("Fetch.continueRequest", { requestId });
    await this.#quietly("Fetch.fulfillRequest", {
      requestId,
      responseCode: answer.status,
      responseHeaders: [...answer.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await answer.arrayBuffer()).toString("base64"),
    });
  }

  /** Closes a denied window: Chromium opens it before it can be prevented. */
  #closeDenied(targetId: string): void {
    this.#deniedWindows -= 1;
    void this.#chromium.send("Target.closeTarget", { targetId }).catch(() => undefined);
  }

  async loadURL(address: string): Promise<void> {
    await this.attached;
    const url = toChromium(address);
    const { origin, permissions } = grantedNetwork(address);
    const grant = (name: string) =>
      this.#chromium.send("Browser.setPermission", { permission: { name }, setting: "granted", origin });
    await Promise.allSettled(permissions.map(grant));
    this.#expected = new URL(url).href;
    this.#loading = true;
    const loaded = new Promise<void>((resolve) => this.once("stand-in-loaded", resolve));
    const { errorText } = await this.#send<{ errorText?: string }>("Page.navigate", { url });
    if (errorText === undefined) return loaded;
    this.#loading = false;
    this.emit("did-fail-load", {}, -2, errorText, address, true);
    throw new Error(`${errorText.replace("net::", "")} (-2) loading '${address}'`);
  }

  reload(): void {
    this.#crashed = false;
    this.#expected = toChromium(this.#url);
    void this.#quietly("Page.reload");
  }

  send(channel: string, ...args: unknown[]): void {
    this.deliver(encodeEvent(channel, args));
  }

  /** Sends a message to the preload script, if there is one. */
  deliver(text: string): void {
    if (this.#preloadContext === undefined || this.#destroyed) return;
    const expression = `globalThis.${deliverName}?.(${JSON.stringify(text)})`;
    void this.#quietly("Runtime.evaluate", { expression, contextId: this.#preloadContext });
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const { result } = await this.#send<{ result: { value: unknown } }>("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  }

  close(): void {
    this.closeWindow();
  }

  markDestroyed(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    open.delete(this);
    this.emit("destroyed");
  }

  async closeTarget(): Promise<void> {
    await this.attached.catch(() => undefined);
    await this.#chromium.send("Target.closeTarget", { targetId: this.targetId }).catch(() => undefined);
    this.markDestroyed();
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler;
  }

  getURL = () => this.#url;
  isDestroyed = () => this.#destroyed;
  isCrashed = () => this.#crashed;
  isLoading = () => this.#loading;
  focus = () => undefined;
  openDevTools = () => undefined;
  getLastWebPreferences = () => this.webPreferences;
  forcefullyCrashRenderer = () => void this.#quietly("Page.crash");
  setBackgroundThrottling = () => undefined;
  setZoomLevel = () => undefined;

  #send<T = Params>(method: string, params?: Params): Promise<T> {
    return this.#chromium.send<T>(method, params, this.#sessionId);
  }

  async #quietly(method: string, params?: Params): Promise<void> {
    await this.#send(method, params).catch(() => undefined);
  }
}

interface PausedRequest {
  requestId: string;
  request: PageRequest;
  resourceType: string;
  frameId: string;
}
