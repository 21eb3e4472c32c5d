import { EventEmitter } from "node:events";
import type { Dialog } from "electron";
import { expect, it } from "vitest";
import { sayWindowGone, setupCrash } from "./crash.ts";
import { textsOf } from "./texts.ts";

/** Sets up crash handling for an app with this uptime and records what it does about an error. */
function run(uptimeMs: number, isStopping = false) {
  const process = new EventEmitter();
  const seen: string[] = [];
  setupCrash({
    process,
    uptimeMs: () => uptimeMs,
    isStopping: () => isStopping,
    relaunch: () => void seen.push("relaunch"),
    exit: (code) => void seen.push(`exit ${code}`),
    giveUp: (error) => void seen.push(`give up: ${String(error)}`),
    log: { fatal: (_facts, message) => void seen.push(message), error: (_facts, message) => void seen.push(message) },
  });
  return { process, seen };
}

it("[DESK-172] starts again after an error that nothing has caught", () => {
  const { process, seen } = run(60_000);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(seen).toEqual(["the app failed", "relaunch", "exit 1"]);
});

it("[DESK-172] does not start again where somebody quits it", () => {
  const { process, seen } = run(60_000, true);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(seen).toEqual(["the app failed", "exit 1"]);
});

it("[DESK-172] says the error and ends where it has just started", () => {
  const { process, seen } = run(59_000);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(seen).toEqual(["the app failed", "give up: Error: EPIPE"]);
});

it("[DESK-172] goes on after a rejection that nothing has handled", () => {
  const { process, seen } = run(60_000);
  process.emit("unhandledRejection", new Error("EPIPE"));
  expect(seen).toEqual(["a failure was not handled"]);
});

it("[DESK-8] the message about a window that keeps crashing waits for nobody", () => {
  const shown: unknown[] = [];
  const showMessageBox = (options: unknown) => {
    shown.push(options);
    return new Promise(() => undefined);
  };
  sayWindowGone({ showMessageBox } as unknown as Dialog, textsOf("en"));
  expect(shown).toMatchObject([{ type: "error", message: "The window of Comanda Hub keeps crashing." }]);
});
