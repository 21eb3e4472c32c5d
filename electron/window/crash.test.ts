import { EventEmitter } from "node:events";
import type { Dialog } from "electron";
import { expect, it } from "vitest";
import { showWindowGone, setupCrash } from "./crash.ts";
import { textsOf } from "./texts.ts";

/** Sets up crash handling for an app with this uptime and records what it does about an error. */
function run(uptimeMs: number, isStopping = false) {
  const process = new EventEmitter();
  const events: string[] = [];
  setupCrash({
    process,
    uptimeMs: () => uptimeMs,
    isStopping: () => isStopping,
    relaunch: () => void events.push("relaunch"),
    exit: (code) => void events.push(`exit ${code}`),
    giveUp: (error) => void events.push(`give up: ${String(error)}`),
    log: {
      fatal: (_facts, message) => void events.push(message),
      error: (_facts, message) => void events.push(message),
    },
  });
  return { process, events };
}

it("the app restarts after an uncaught error [DESK-172]", () => {
  const { process, events } = run(60_000);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(events).toEqual(["the app failed", "relaunch", "exit 1"]);
});

it("the app does not restart after an uncaught error if someone quits it [DESK-172]", () => {
  const { process, events } = run(60_000, true);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(events).toEqual(["the app failed", "exit 1"]);
});

it("an uncaught error shortly after the start is shown, and the app ends [DESK-172]", () => {
  const { process, events } = run(59_000);
  process.emit("uncaughtException", new Error("EPIPE"));
  expect(events).toEqual(["the app failed", "give up: Error: EPIPE"]);
});

it("the app goes on after an unhandled rejection [DESK-172]", () => {
  const { process, events } = run(60_000);
  process.emit("unhandledRejection", new Error("EPIPE"));
  expect(events).toEqual(["a failure was not handled"]);
});

it("the message about a window that keeps crashing does not block the app [DESK-8]", () => {
  const shown: unknown[] = [];
  const showMessageBox = (options: unknown) => {
    shown.push(options);
    return new Promise(() => undefined);
  };
  showWindowGone({ showMessageBox } as unknown as Dialog, textsOf("en"));
  expect(shown).toMatchObject([{ type: "error", message: "The window of Comanda Hub keeps crashing." }]);
});
