import type { App, Dialog } from "electron";
import type { Texts } from "./texts.ts";

export interface QuitDeps {
  app: Pick<App, "on" | "quit" | "exit">;
  dialog: Pick<Dialog, "showMessageBox">;
  texts: () => Texts;
  connectedTerminals: () => number;
  stopHub: () => Promise<void>;
  /** How long the hub may take to stop before the app ends anyway. */
  stopTimeoutMs?: number;
  log: { info(facts: object, message: string): void; error(facts: object, message: string): void };
}

/** Well above the 15 s timeout of a call to the back-office. */
const STOP_TIMEOUT_MS = 30_000;

export type Quit = ReturnType<typeof setupQuit>;

/** Handles quitting: asks while terminals are connected, then stops the hub cleanly before the process ends. */
export function setupQuit(deps: QuitDeps) {
  const { app, dialog, texts, connectedTerminals, stopHub, log, stopTimeoutMs = STOP_TIMEOUT_MS } = deps;
  let stage: "running" | "asking" | "stopping" | "stopped" = "running";
  let isForced = false;
  const skipQuestion = Promise.withResolvers<true>();

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

  const stopAndQuit = async () => {
    stage = "asking";
    if (!(await Promise.race([skipQuestion.promise, ask()]))) return void (stage = "running");
    stage = "stopping";
    log.info({}, "stopping");
    await Promise.race([stopHub(), rejectAfter(stopTimeoutMs)]).catch((error: unknown) =>
      log.error({ err: error }, "the hub did not stop cleanly"),
    );
    stage = "stopped";
    app.quit();
  };

  app.on("before-quit", (event) => {
    if (stage === "stopped") return;
    event.preventDefault();
    if (stage === "running") void stopAndQuit();
  });

  return {
    /** Whether the person at this PC agrees to stop the hub. Asks while terminals are connected. */
    confirm: ask,
    /** Whether the hub is stopping because the app ends. */
    isStopping: () => stage === "stopping" || stage === "stopped",
    /** Whether the hub has stopped and the app may end. */
    isQuitting: () => stage === "stopped",
    /** Whether the window may close although its page would lose something. If the person declines, quitting is cancelled. */
    mayLose(ask: () => boolean): boolean {
      if (isForced || ask()) return true;
      stage = "running";
      return false;
    },
    /** Quits without asking, for a signal or a system shutdown. */
    now() {
      isForced = true;
      skipQuestion.resolve(true);
      app.quit();
    },
  };
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not stopped after ${ms} ms`)), ms).unref();
  });
}
