import { Socket } from "node:dgram";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { realWorld } from "../platform/world.ts";
import { manualClock } from "../test/support/manual-clock.ts";
import { until } from "../test/support/until.ts";
import { createAnnouncer } from "./announce.ts";

it("a hub whose announcement fails on every socket is announced once sending works again [DISC-35]", async () => {
  const down = Object.assign(new Error("send ENETDOWN"), { code: "ENETDOWN" });
  const send = vi.spyOn(Socket.prototype, "send").mockImplementation((...args: unknown[]) => {
    setImmediate(args.at(-1) as (error: Error) => void, down);
  });
  onTestFinished(() => send.mockRestore());
  const clock = manualClock();
  const world = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  const states: string[] = [];
  const announcer = createAnnouncer(world, () => states.push(announcer.state()));
  onTestFinished(announcer.stop);
  announcer.start({ name: `Hub ${crypto.randomUUID()}`, host: "0.0.0.0", port: 8766, txt: { id: "h" } });
  await until("the first probe to fail", () => send.mock.calls.length > 0);
  clock.advance(15_000);
  await until("the failure to be noticed", () => states.at(-1) === "failed");
  send.mockRestore();
  clock.advance(5_000);
  await until("the hub to be announced", () => states.at(-1) === "announced");
  expect(states).toEqual(["starting", "failed", "starting", "announced"]);
});
