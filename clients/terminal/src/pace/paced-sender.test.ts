import { createTokenBucket, messageBudgets } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createPacedSender } from "./paced-sender.ts";

/** A sender with a hub that counts messages like the real one. */
function startSender(kind: "presence" | "resync") {
  const world = manualWorld();
  const hub = createTokenBucket(messageBudgets[kind], world.clock.monotonic);
  const counts = { sent: 0, refused: 0, newest: 0 };
  let newest = 0;
  const sender = createPacedSender(world, messageBudgets[kind], () => {
    counts.sent += 1;
    counts.newest = newest;
    if (!hub.take()) counts.refused += 1;
  });
  return {
    world,
    sender,
    counts,
    request(place: number): void {
      newest = place;
      sender.request();
    },
  };
}

describe("createPacedSender", () => {
  it("the sender stays within the budget for presence and sends the newest place in the end [CLIENT-100]", () => {
    const { world, counts, request } = startSender("presence");
    for (let n = 1; n <= 2_000; n += 1) {
      request(n);
      world.advance(5);
    }
    world.advance(1_000);
    expect(counts).toMatchObject({ refused: 0, newest: 2_000 });
    expect(counts.sent).toBeGreaterThan(40);
  });

  it("the sender stays within the budget for RESYNC, and loses no request [CLIENT-101]", () => {
    const { world, counts, request } = startSender("resync");
    for (let n = 1; n <= 100; n += 1) {
      request(n);
      world.advance(1_000);
    }
    world.advance(10_000);
    expect(counts).toMatchObject({ refused: 0, newest: 100 });
  });

  it("the sender repeats refused messages, and starts over with each session [CLIENT-102]", () => {
    const { world, sender, counts, request } = startSender("presence");
    request(1);
    sender.refused();
    expect(counts.sent).toBe(1);
    world.advance(250);
    expect(counts.sent).toBe(2);
    sender.refused();
    sender.reset();
    world.advance(1_000);
    expect(counts.sent).toBe(2);
    request(3);
    expect(counts).toMatchObject({ sent: 3, newest: 3 });
  });
});
