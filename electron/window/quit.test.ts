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
  const seen: string[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit() {
      let isPrevented = false;
      app.emit("before-quit", { preventDefault: () => (isPrevented = true) });
      if (isPrevented) return;
      seen.push("ended");
      ended.resolve();
    },
    exit: () => undefined,
  });
  const asked = Promise.withResolvers<{ message: string }>();
  const dialog = {
    showMessageBox: (options: { message: string }) => {
      asked.resolve(options);
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve({ response: answer });
    },
  };
  const quit = setupQuit({
    app: app as unknown as App,
    dialog: dialog as unknown as Dialog,
    texts: () => textsOf("en"),
    connectedTerminals: () => terminals,
    stopHub: stopHub ?? (() => Promise.resolve(void seen.push("hub stopped"))),
    stopTimeoutMs: 10,
    log: { info: () => undefined, error: () => undefined },
  });
  return { app, quit, seen, asked: asked.promise, ended: ended.promise };
}

it("stops the hub before the process ends, without asking when no terminal is connected [DESK-7]", async () => {
  const { app, quit, seen, ended } = start({ terminals: 0 });
  app.quit();
  expect(quit.isQuitting()).toBe(false);
  await ended;
  expect(seen).toEqual(["hub stopped", "ended"]);
  expect([quit.isQuitting(), quit.isStopping()]).toEqual([true, true]);
});

it("says how many terminals lose their hub, and quits when confirmed [DESK-6]", async () => {
  const { app, seen, asked, ended } = start({ terminals: 6, answer: 1 });
  app.quit();
  expect((await asked).message).toBe("6 connected terminals will lose their hub.");
  await ended;
  expect(seen).toEqual(["hub stopped", "ended"]);
});

it("keeps running when the person cancels, and asks again the next time [DESK-6]", async () => {
  const { app, quit, seen, asked } = start({ terminals: 1, answer: 0 });
  app.quit();
  expect((await asked).message).toBe("1 connected terminal will lose its hub.");
  await new Promise(setImmediate);
  expect(seen).toEqual([]);
  expect([quit.isQuitting(), quit.isStopping()]).toEqual([false, false]);
});

it("quits without asking on a signal or a system shutdown, even with the question open [DESK-7]", async () => {
  const { app, quit, seen, asked, ended } = start({ terminals: 6 });
  app.quit();
  await asked;
  quit.now();
  await ended;
  expect(seen).toEqual(["hub stopped", "ended"]);
});

it("quits even when the hub does not stop, or stops with an error [DESK-7]", async () => {
  for (const stopHub of [() => new Promise<void>(() => undefined), () => Promise.reject(new Error("disk"))]) {
    const { app, seen, ended } = start({ terminals: 0, stopHub });
    app.quit();
    await ended;
    expect(seen).toEqual(["ended"]);
  }
});

it("goes on when the person stays with what is not saved, and does not ask when the system ends the app [DESK-192]", async () => {
  const { app, quit, seen } = start({ terminals: 0 });
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
  expect(seen.filter((each) => each === "hub stopped")).toHaveLength(2);
});
