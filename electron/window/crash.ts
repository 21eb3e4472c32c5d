import type { EventEmitter } from "node:events";
import type { Dialog } from "electron";
import type { Texts } from "./texts.ts";

export interface CrashDeps {
  process: Pick<EventEmitter, "on">;
  /** Time since the app started, ms. */
  uptimeMs: () => number;
  /** Whether the app is quitting. */
  isStopping: () => boolean;
  /** Restarts the app once it has ended. */
  relaunch: () => void;
  /** Ends the app at once. */
  exit: (code: number) => void;
  /** Shows the error and ends the app. */
  giveUp: (error: unknown) => void;
  log: { fatal(facts: object, message: string): void; error(facts: object, message: string): void };
}

/** An app that fails sooner than this would restart endlessly. */
const STARTED_MS = 60_000;

/**
 * Handles uncaught errors. They leave the hub in an unknown state, so the app restarts from stored data, as after a power cut.
 * Without this listener, Electron shows a box and everything stops until a person closes it.
 */
export function setupCrash({ process, uptimeMs, isStopping, relaunch, exit, giveUp, log }: CrashDeps): void {
  process.on("uncaughtException", (error: unknown) => {
    const isStarted = uptimeMs() >= STARTED_MS;
    log.fatal({ err: error }, "the app failed");
    if (!isStarted) return giveUp(error);
    if (!isStopping()) relaunch();
    exit(1);
  });
  process.on("unhandledRejection", (error: unknown) => log.error({ err: error }, "a failure was not handled"));
}

/** Reports that the window keeps crashing while the hub runs. Not an error box, which would block the hub until closed. */
export function showWindowGone(dialog: Pick<Dialog, "showMessageBox">, { windowGone, windowGoneDetail }: Texts): void {
  void dialog.showMessageBox({ type: "error", message: windowGone, detail: windowGoneDetail });
}
