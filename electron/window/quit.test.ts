import { EventEmitter } from "node:events";
import type { App, Dialog } from "electron";
import { expect, it } from "vitest";
import { setupQuit } from "./quit.ts";
import { textsOf } from "./texts.ts";

interface Scenario {
  terminals: number;
  answer?: number;
  stopHub?: () => Promise<void>;
}

/** Quits as Electron does: each `quit` emits 'before-quit' and ends unless a listener prevents it. */
function start({ terminals, answer, stopHub }: Scenario) {
  const ended = Promise.withResolvers<void>();
  const events: string[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit() {
      let isPrevented = false;
      app.emit("before-quit", { preventDefault: () => (isPrevented = true) });
      if (isPrevented) return;
      events.push("ended");
      ended.resolve();
    },
    exit: () => undefined,
  });
  const question = Promise.withResolvers<{ message: string }>();
  const dialog = {
    showMessageBox: (options: { message: string }) => {
      question.resolve(options);
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve({ response: answer });
    },
  };
  const quit = setupQuit({
    app: app as unknown as App,
    dialog: dialog as unknown as Dialog,
    texts: () => textsOf("en"),
    connectedTerminals: () => terminals,
    stopHub: stopHub ?? (() => Promise.resolve(void events.push("hub stopped"))),
    stopTimeoutMs: 10,
    log: { info: () => undefined, error: () => undefined },
  });
  return { app, quit, events, question: question.promise, ended: ended.promise };
}

it("quitting without connected terminals stops the hub before the process ends, without asking [DESK-7]", async () => {
  const { app, quit, events, ended } = start({ terminals: 0 });
  app.quit();
  expect(quit.isQuitting()).toBe(false);
  await ended;
  expect(events).toEqual(["hub stopped", "ended"]);
  expect([quit.isQuitting(), quit.isStopping()]).toEqual([true, true]);
});

it("quitting asks with the number of connected terminals, and quits when confirmed [DESK-6]", async () => {
  const { app, events, question, ended } = start({ terminals: 6, answer: 1 });
  app.quit();
  expect((await question).message).toBe("6 connected terminals will lose their hub.");
  await ended;
  expect(events).toEqual(["hub stopped", "ended"]);
});

it("cancelling the question keeps the app running, and the next quit asks again [DESK-6]", async () => {
  const { app, quit, events, question } = start({ terminals: 1, answer: 0 });
  app.quit();
  expect((await question).message).toBe("1 connected terminal will lose its hub.");
  await new Promise(setImmediate);
  expect(events).toEqual([]);
  expect([quit.isQuitting(), quit.isStopping()]).toEqual([false, false]);
});

it("a signal or a system shutdown quits without asking, even while the question is open [DESK-7]", async () => {
  const { app, quit, events, question, ended } = start({ terminals: 6 });
  app.quit();
  await question;
  quit.now();
  await ended;
  expect(events).toEqual(["hub stopped", "ended"]);
});

it("the app quits even if the hub does not stop, or stops with an error [DESK-7]", async () => {
  for (const stopHub of [() => new Promise<void>(() => undefined), () => Promise.reject(new Error("disk"))]) {
    const { app, events, ended } = start({ terminals: 0, stopHub });
    app.quit();
    await ended;
    expect(events).toEqual(["ended"]);
  }
});

it("a person who stays with unsaved work keeps the app running, but the system can end it [DESK-192]", async () => {
  const { app, quit, events } = start({ terminals: 0 });
  app.quit();
  await expect.poll(quit.isQuitting).toBe(true);
  expect(quit.mayLose(() => false)).toBe(false);
  expect([quit.isQuitting(), quit.isStopping()]).toEqual([false, false]);

  app.quit();
  await expect.poll(quit.isQuitting).toBe(true);
  expect(quit.mayLose(() => true)).toBe(true);
  expect(quit.isQuitting()).toBe(true);
  quit.now();
  expect(quit.mayLose(() => false)).toBe(true);
  expect(events.filter((each) => each === "hub stopped")).toHaveLength(2);
});
