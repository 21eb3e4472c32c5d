import type { TerminalMessageInput } from "@comanda/protocol";
import { expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createHubClock } from "./hub-clock.ts";
import { createPulse } from "./pulse.ts";

function startPulse() {
  const world = manualWorld();
  const hubClock = createHubClock(world.clock);
  const sent: TerminalMessageInput[] = [];
  const pulse = createPulse({
    world,
    hubClock,
    send: (message) => sent.push(message) > 0,
    report: () => ({ outbox: { pending: 0 }, clientTime: "2026-11-21T20:00:00.000Z" }),
    hasLease: () => false,
    awaitsState: () => false,
    lostState: () => {},
    beaten: () => {},
  });
  return { world, hubClock, sent, pulse };
}

it("the round trip of each heartbeat is measured, even while another is pending [CLIENT-8]", async () => {
  const { world, hubClock, sent, pulse } = startPulse();
  const answer = (at: number): void => {
    const requestId = sent.shift()?.requestId;
    const serverTime = new Date(world.clock.now() - world.clock.monotonic() + at).toISOString();
    pulse.answered({ type: "HEARTBEAT_ACK", serverTime, ...(requestId !== undefined && { requestId }) });
  };
  const roundTrip = pulse.check();
  world.advance(2_900);
  pulse.sendNow();
  world.advance(100);
  answer(1_500);
  expect(await roundTrip).toBe(3_000);
  expect(hubClock.now()).toBe(world.clock.now());
  world.advance(2_900);
  answer(4_400);
  expect(hubClock.now()).toBe(world.clock.now());
});

it("an answer that names no heartbeat is measured from the newest [CLIENT-8]", async () => {
  const { world, hubClock, pulse } = startPulse();
  const roundTrip = pulse.check();
  world.advance(100);
  pulse.answered({ type: "HEARTBEAT_ACK", serverTime: new Date(world.clock.now() - 50).toISOString() });
  expect(await roundTrip).toBe(100);
  expect(hubClock.now()).toBe(world.clock.now());
});
