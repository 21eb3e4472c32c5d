import type { DesktopHubState } from "@comanda/protocol";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHubLifecycle, type RunningHub } from "./hub-lifecycle.ts";

/** Records what happens to hubs. `fails` makes the next starts fail, `stopFails` the next stops. */
function start() {
  const events: string[] = [];
  const world = { port: 8766, fails: false, stopFails: false, retryMs: null as number | null };
  let last = 0;
  const build = (): RunningHub => {
    const name = `hub ${++last}`;
    return {
      start: () => {
        events.push(`${name} starts`);
        return world.fails ? Promise.reject(new Error("no")) : Promise.resolve({ port: world.port });
      },
      stop: () => {
        events.push(`${name} stops`);
        return world.stopFails ? Promise.reject(new Error("still held")) : Promise.resolve();
      },
    };
  };
  const lifecycle = createHubLifecycle(
    build,
    (error) =>
      Promise.resolve({ state: "failed", reason: "other", error: String(error), backupsFound: 0, settings: [] }),
    () => "127.0.0.1",
    () => world.retryMs,
  );
  const states: string[] = [];
  lifecycle.onChange((state: DesktopHubState) => void states.push(state.state));
  return { lifecycle, world, events, states };
}

it("a restart uses the current settings, after the old hub has stopped [DESK-24]", async () => {
  const { lifecycle, world, events, states } = start();
  await lifecycle.start();
  world.port = 8800;
  expect(await lifecycle.restart()).toEqual({ state: "running", url: "http://127.0.0.1:8800/", port: 8800 });
  expect(events).toEqual(["hub 1 starts", "hub 1 stops", "hub 2 starts"]);
  expect(states).toEqual(["running", "restarting", "running"]);
});

it("a failed start becomes a state, its hub is stopped, and a later start may succeed [DESK-30]", async () => {
  const { lifecycle, world, events } = start();
  world.fails = true;
  expect(await lifecycle.start()).toMatchObject({ state: "failed", error: "Error: no" });
  expect(lifecycle.running()).toBeUndefined();
  world.fails = false;
  expect(await lifecycle.restart()).toMatchObject({ state: "running" });
  expect(events).toEqual(["hub 1 starts", "hub 1 stops", "hub 2 starts"]);
});

it("a failure that may pass is tried again until the start succeeds [DESK-178]", async () => {
  const { lifecycle, world, events } = start();
  Object.assign(world, { fails: true, retryMs: 1 });
  await lifecycle.start();
  await expect.poll(() => events.includes("hub 3 starts")).toBe(true);
  world.fails = false;
  await expect.poll(lifecycle.running).toBeDefined();
  await lifecycle.stop();
  expect(events.at(-1)).toMatch(/stops$/);
});

it("nothing is tried again after a stop [DESK-178]", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { lifecycle, world } = start();
  Object.assign(world, { fails: true, retryMs: 1 });
  await lifecycle.start();
  expect(vi.getTimerCount()).toBe(1);
  await lifecycle.stop();
  expect(vi.getTimerCount()).toBe(0);
});

it("starts are tried again also after an action of the user has failed [DESK-178]", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { lifecycle, world } = start();
  Object.assign(world, { fails: true, retryMs: 1 });
  await lifecycle.start();
  const noBackup = (): never => {
    throw new Error("There is no usable backup.");
  };
  expect(await lifecycle.restartAround(noBackup)).toMatchObject({ state: "failed" });
  world.fails = false;
  // Not all timers: another test of this worker may still be waiting for something.
  await vi.advanceTimersByTimeAsync(1);
  expect(lifecycle.running()).toBeDefined();
});

it("a start, a restart and a stop run one after the other, and leave no hub running [DESK-7]", async () => {
  const { lifecycle, events } = start();
  await Promise.all([lifecycle.start(), lifecycle.start(), lifecycle.restart(), lifecycle.stop()]);
  expect(events).toEqual(["hub 1 starts", "hub 1 stops", "hub 2 starts", "hub 2 stops"]);
  expect(lifecycle.running()).toBeUndefined();
});

it("a hub that is stopped for an update reports a restart, and runs again after a start [DESK-52]", async () => {
  const { lifecycle, states } = start();
  await lifecycle.start();
  await lifecycle.stop();
  expect(lifecycle.state()).toEqual({ state: "restarting" });
  await lifecycle.start();
  expect(states).toEqual(["running", "restarting", "running"]);
});

it("work on the data file runs while no hub runs [DESK-33]", async () => {
  const { lifecycle, events } = start();
  await lifecycle.start();
  await lifecycle.restartAround(() => void events.push("restored"));
  expect(events).toEqual(["hub 1 starts", "hub 1 stops", "restored", "hub 2 starts"]);
});

it("a failed stop is reported, no work runs on a file that may be in use, and a later stop may succeed [DESK-30]", async () => {
  const { lifecycle, world, events, states } = start();
  await lifecycle.start();
  world.stopFails = true;
  const restored = lifecycle.restartAround(() => void events.push("restored"));
  expect(await restored).toMatchObject({ state: "failed", error: "Error: still held" });
  expect(await lifecycle.restart()).toMatchObject({ state: "running" });
  expect(events).toEqual(["hub 1 starts", "hub 1 stops", "hub 2 starts"]);
  expect(states).toEqual(["running", "restarting", "failed", "running"]);
});
