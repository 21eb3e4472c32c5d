import type { App, Dialog } from "electron";
import type { Texts } from "./texts.ts";

export interface QuitParts {
  app: Pick<App, "on" | "quit" | "exit">;
  dialog: Pick<Dialog, "showMessageBox">;
  texts: () => Texts;
  connectedTerminals: () => number;
  stopHub: () => Promise<void>;
  /** How long the hub may take to stop before the app ends all the same. */
  patienceMs?: number;
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void };
}

export interface QuitControl {
  /** True from the moment that nothing more stands in the way. */
  isQuitting: () => boolean;
  /** Quits without a question: the system or a signal asked. */
  now: () => void;
}

/** Well above the 15 s after which the hub gives up a call to the back-office. */
const PATIENCE_MS = 30_000;

/** Quitting asks while terminals are connected, then stops the hub cleanly before the process ends. */
export function setupQuit(parts: QuitParts): QuitControl {
  const { app, dialog, texts, connectedTerminals, stopHub, log, patienceMs = PATIENCE_MS } = parts;
  let stage: "running" | "asking" | "stopping" | "stopped" = "running";
  const unasked = Promise.withResolvers<true>();

  const ask = async (): Promise<boolean> => {
    const terminals = connectedTerminals();
    if (terminals === 0) return true;
    const { response } = await dialog.showMessageBox({
      type: "warning",
      message: texts().quitQuestion(terminals),
      detail: texts().quitDetail,
      buttons: [texts().keepRunning, texts().quitAnyway],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1;
  };

  const leave = async () => {
    stage = "asking";
    if (!(await Promise.race([unasked.promise, ask()]))) return void (stage = "running");
    stage = "stopping";
    log.info({}, "stopping");
    await Promise.race([stopHub(), patience(patienceMs)]).catch((error: unknown) =>
      log.error({ err: error }, "the hub did not stop cleanly"),
    );
    stage = "stopped";
    app.quit();
  };

  app.on("before-quit", (event) => {
    if (stage === "stopped") return;
    event.preventDefault();
    if (stage === "running") void leave();
  });

  return {
    isQuitting: () => stage === "stopped",
    now() {
      unasked.resolve(true);
      app.quit();
    },
  };
}

function patience(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not stopped after ${ms} ms`)), ms).unref();
  });
}
