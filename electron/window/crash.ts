import type { EventEmitter } from "node:events";
import type { Dialog } from "electron";
import type { Texts } from "./texts.ts";

export interface CrashDeps {
  process: Pick<EventEmitter, "on">;
  /** Since the app was started. */
  uptimeMs: () => number;
  /** Somebody quits the app. */
  isStopping: () => boolean;
  /** Starts the app again as soon as it has ended. */
  relaunch: () => void;
  /** Ends the app at once. */
  exit: (code: number) => void;
  /** Shows the error, and ends the app. */
  giveUp: (error: unknown) => void;
  log: { fatal(facts: object, message: string): void; error(facts: object, message: string): void };
}

/** An app that fails sooner than this would only start again and again. */
const STARTED_MS = 60_000;

/**
 * An error that nothing has caught leaves the hub in a state that nobody knows: the app starts again from what is stored, as
 * after a power cut. Without a listener Electron shows a box and everything stands still until somebody closes it.
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

/** Says that the window keeps crashing, while the hub goes on: an error box would stop it until somebody closes the box. */
export function sayWindowGone(dialog: Pick<Dialog, "showMessageBox">, { windowGone, windowGoneDetail }: Texts): void {
  void dialog.showMessageBox({ type: "error", message: windowGone, detail: windowGoneDetail });
}
