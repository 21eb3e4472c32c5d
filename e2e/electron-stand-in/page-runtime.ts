/// <reference lib="dom" />
// The page's half: these functions are sent to Chromium as source text, so they use only their parameters.
import { createCodec, type Codec, type References } from "./codec.ts";

/** Name of the isolated world of the preload script, which the page cannot access. */
export const preloadWorld = "Electron Isolated Context";
export const bindingName = "__standInSend";
export const deliverName = "__standInDeliver";

/** Returns scripts for `Page.addScriptToEvaluateOnNewDocument`: first the page world's, then the preload's. */
export function pageScripts(
  preloadSource: string | undefined,
  argv: readonly string[],
): { main: string; preload: string | undefined } {
  const tag = `stand-in-${Math.random().toString(36).slice(2)}`;
  const shared = `const createCodec = ${String(createCodec)}; const createBridgeEnd = ${String(createBridgeEnd)};`;
  const guard = "if (window.top !== window) return;";
  const main = `(() => { ${guard} ${shared} createBridgeEnd(createCodec, ${JSON.stringify(tag)}, "page", "preload"); })()`;
  if (preloadSource === undefined) return { main, preload: undefined };
  const preload = `(() => { ${guard} ${shared}
    const runtime = (${String(createPreloadRuntime)})(createCodec, createBridgeEnd, ${JSON.stringify({ tag, bindingName, deliverName, argv })});
    const module = { exports: {} };
    (function (require, module, exports, process) {${preloadSource}\n})(runtime.require, module, module.exports, runtime.process);
  })()`;
  return { main, preload };
}

type CreateCodec = (references?: References) => Codec;

interface BridgeMessage {
  kind: "call" | "return" | "settle" | "expose";
  id: number;
  key?: string;
  fn?: number;
  value?: string;
  failed?: boolean;
}

/** Creates one end of the synchronous channel between two worlds of a document, which consists of events carrying text. */
function createBridgeEnd(codecOf: CreateCodec, tag: string, own: string, peer: string) {
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const returns = new Map<number, BridgeMessage>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let last = 0;

  const codec = codecOf({
    registerFunction(value) {
      functions.set(++last, value);
      return last;
    },
    registerPromise(value) {
      const id = ++last;
      value.then(
        (result) => send({ kind: "settle", id, value: codec.encode(result) }),
        (reason: unknown) => send({ kind: "settle", id, value: codec.encode(reason), failed: true }),
      );
      return id;
    },
    reviveFunction:
      (fn) =>
      (...args) => {
        const id = ++last;
        send({ kind: "call", id, fn, value: codec.encode(args) });
        const answer = returns.get(id);
        returns.delete(id);
        if (answer?.value === undefined) throw new Error("the other world did not answer");
        const value = codec.decode(answer.value);
        if (answer.failed === true) throw value;
        return value;
      },
    revivePromise: (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject })),
  });

  const send = (message: BridgeMessage) =>
    document.dispatchEvent(new CustomEvent(`${tag}:${peer}`, { detail: JSON.stringify(message) }));

  const answer = (message: BridgeMessage) => {
    try {
      const result = functions.get(message.fn ?? 0)?.(...(codec.decode(message.value ?? "[]") as unknown[]));
      send({ kind: "return", id: message.id, value: codec.encode(result) });
    } catch (error) {
      send({ kind: "return", id: message.id, value: codec.encode(error), failed: true });
    }
  };

  document.addEventListener(`${tag}:${own}`, (event) => {
    const message = JSON.parse((event as CustomEvent<string>).detail) as BridgeMessage;
    if (message.kind === "call") return answer(message);
    if (message.kind === "return") return void returns.set(message.id, message);
    const value = codec.decode(message.value ?? "null");
    if (message.kind === "expose") {
      return void Object.defineProperty(globalThis, message.key ?? "", { value, enumerable: true });
    }
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.failed === true) settle?.reject(value);
    else settle?.resolve(value);
  });

  return { expose: (key: string, value: unknown) => send({ kind: "expose", id: 0, key, value: codec.encode(value) }) };
}

/** Creates a sandboxed preload script's environment: `require("electron")` (contextBridge, ipcRenderer), part of `process`. */
function createPreloadRuntime(
  codecOf: CreateCodec,
  bridgeEnd: typeof createBridgeEnd,
  names: { tag: string; bindingName: string; deliverName: string; argv: readonly string[] },
) {
  type Listener = (event: unknown, ...args: unknown[]) => void;
  const world = globalThis as unknown as Record<string, (text: string) => void>;
  const codec = codecOf();
  const bridge = bridgeEnd(codecOf, names.tag, "preload", "page");
  const listeners = new Map<string, Listener[]>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let last = 0;

  world[names.deliverName] = (text) => {
    const message = codec.decode(text) as { id?: number; channel: string; args: unknown[]; failed?: boolean };
    if (message.id === undefined) {
      for (const listener of listeners.get(message.channel) ?? []) listener({ sender: ipcRenderer }, ...message.args);
      return;
    }
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.failed === true) settle?.reject(message.args[0]);
    else settle?.resolve(message.args[0]);
  };

  const post = (message: object) => world[names.bindingName]?.(codec.encode(message));
  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]) => post({ channel, args }),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        post({ id, channel, args });
      }),
    on(channel: string, listener: Listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return ipcRenderer;
    },
    removeListener(channel: string, listener: Listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((registered) => registered !== listener),
      );
      return ipcRenderer;
    },
  };

  return {
    process: { type: "renderer", argv: names.argv, sandboxed: true, contextIsolated: true },
    require(name: string) {
      if (name !== "electron") throw new Error(`module not found: ${name}`);
      return { ipcRenderer, contextBridge: { exposeInMainWorld: bridge.expose } };
    },
  };
}
