// Starts headless Chromium and speaks its DevTools protocol over two pipes. Chromium ends when the pipes close.
import { spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";

/** How long Chromium may take to close. */
const CLOSE_MS = 5_000;

export type Params = Record<string, unknown>;

export interface Chromium {
  send<T = Params>(method: string, params?: Params, sessionId?: string): Promise<T>;
  /** Events by method name: `(params, sessionId)`. */
  events: EventEmitter;
  /** Closes Chromium cleanly, so that everything its pages stored is on disk. */
  close(): Promise<void>;
}

/** Returns the path of this machine's Chromium, or undefined; `CHROMIUM` overrides it. */
export function findChromium(): string | undefined {
  const candidates = [
    process.env["CHROMIUM"],
    "/usr/lib/chromium/chromium",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

export function startChromium(switches: string[], onExit: () => void): Chromium {
  const program = findChromium();
  if (program === undefined)
    throw new Error("The stand-in for Electron needs Chromium; none was found on this machine.");
  const args = ["--headless=new", "--no-startup-window", "--remote-debugging-pipe", ...switches];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"] });
  child.once("exit", onExit);
  const [toBrowser, fromBrowser] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  toBrowser.on("error", () => undefined);

  const events = new EventEmitter();
  events.setMaxListeners(0);
  const pendingCalls = new Map<number, { resolve(value: never): void; reject(reason: Error): void; method: string }>();
  let lastId = 0;
  let buffered = "";

  const handleMessage = (text: string) => {
    const message = JSON.parse(text) as {
      id?: number;
      method: string;
      params: Params;
      result: never;
      error?: { message: string };
      sessionId?: string;
    };
    if (message.id === undefined) return void events.emit(message.method, message.params, message.sessionId);
    const call = pendingCalls.get(message.id);
    pendingCalls.delete(message.id);
    if (message.error === undefined) call?.resolve(message.result);
    else call?.reject(new Error(`${call.method}: ${message.error.message}`));
  };

  fromBrowser.setEncoding("utf8");
  fromBrowser.on("data", (chunk: string) => {
    const parts = (buffered + chunk).split("\0");
    buffered = parts.pop() ?? "";
    parts.forEach(handleMessage);
  });

  return {
    events,
    send: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        pendingCalls.set(id, { resolve, reject, method });
        toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
    async close() {
      child.removeListener("exit", onExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const killTimer = setTimeout(() => child.kill("SIGKILL"), CLOSE_MS);
      toBrowser.write(`${JSON.stringify({ id: ++lastId, method: "Browser.close" })}\0`);
      await ended;
      clearTimeout(killTimer);
    },
  };
}
