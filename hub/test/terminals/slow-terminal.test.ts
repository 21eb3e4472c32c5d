// @module-tag long
import type { HubMessage, HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { heldBufferBytes } from "./held-memory.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** Raises the rate limit, because the writer writes faster than a terminal may. */
const highRate = { HUB_MUTATION_RATE_MAX: "100000" };

const notes = "n".repeat(1_000);
const largeOrder = {
  notes,
  lines: Array.from({ length: 20 }, (_, i) => ({ id: `l${i}`, quantity: 1, unitPrice: 1, note: "x".repeat(400) })),
};

/** Writes changes until more has been sent than any socket buffers hold (60 rounds are some 20 MB). */
async function writeMuch(terminal: TestTerminal, rounds: number): Promise<number> {
  let seq = 0;
  for (let version = 0; version < rounds; version += 1) {
    const acks = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        terminal.change({
          type: "ORDER_UPSERT",
          posReference: `S${i}`,
          baseVersion: version,
          snapshot: terminalSnapshot(largeOrder),
        }),
      ),
    );
    seq = Math.max(...acks.map((ack) => ack.seq ?? 0));
  }
  return seq;
}

async function openSlow(hub: TestHub, deviceId: string) {
  const slow = await openSocket(hub.url);
  slow.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId });
  await slow.first("SYNC");
  slow.socket.pause();
  return slow;
}

describe("slow terminals", () => {
  it("a slow terminal gets one delta when it reads again, and delays no other terminal [TERM-60]", async () => {
    const hub = await startTestHub({ env: { HUB_HEARTBEAT_MS: "60000", ...highRate } });
    const writer = await hub.terminal({ login: "cashier", deviceId: "writer" });
    const slow = await openSlow(hub, "slow");
    const bytesBefore = await heldBufferBytes();
    const seq = await writeMuch(writer, 60);
    expect(seq).toBe(2_400);
    // Only its buffer of 256 KiB and the read buffers of the test's own sockets may stay in memory, not the messages
    // that it has missed.
    await until(
      "what it has missed to be let go",
      async () => (await heldBufferBytes()) < bytesBefore + 4 * 1024 * 1024,
    );
    slow.socket.resume();
    const isSync = (message: HubMessage): message is HubMessageOf<"SYNC"> => message.type === "SYNC";
    const reached = await until(
      "the newest state",
      () => slow.received.findLast((message) => isSync(message) && message.seq === seq && !message.more),
      20_000,
    );
    expect(reached).toMatchObject({ mode: "delta" });
    const versions = new Map<string, number>();
    let at = 0;
    for (const message of slow.received) {
      if (message.type === "ORDER_CHANGED") {
        expect(message.seq).toBe(at + 1);
        at = message.seq;
        versions.set(message.posReference, message.version);
      } else if (isSync(message)) {
        if (message.mode === "delta") at = message.seq;
        for (const order of message.orders) versions.set(order.posReference, order.version);
      }
    }
    expect([...versions.values()]).toEqual(Array.from({ length: 40 }, () => 60));
    const received = slow.received.filter((message) => message.type === "ORDER_CHANGED").length;
    expect(received).toBeLessThan(2_000);
    const next = await writer.change({
      type: "ORDER_UPSERT",
      posReference: "AFTER",
      baseVersion: 0,
      snapshot: terminalSnapshot(),
    });
    await until("the next change", () =>
      slow.received.some((message) => message.type === "ORDER_CHANGED" && message.seq === next.seq),
    );
  });

  it("a slow terminal is closed with 1008 when it reads nothing for 30 s [TERM-61]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "86400000", ...highRate } });
    const writer = await hub.terminal({ login: "cashier", deviceId: "writer" });
    const slow = await openSlow(hub, "slow");
    await writeMuch(writer, 60);
    clock.advance(29_000);
    expect((await hub.send("GET", "/health")).body.connectedTerminals).toBe(2);
    clock.advance(2_000);
    expect((await hub.send("GET", "/health")).body.connectedTerminals).toBe(1);
    // Longer than a peer may take to answer a close frame.
    clock.advance(20_000);
    slow.socket.resume();
    await until("it to read", () => {
      clock.advance(500);
      return slow.socket.readyState === slow.socket.CLOSED;
    });
    expect(await slow.closed).toBe(1008);
  });

  it("a slow terminal is not disconnected for the size of its first SYNC [TERM-62]", async () => {
    const hub = await startTestHub({ env: { HUB_HEARTBEAT_MS: "60000", ...highRate } });
    const writer = await hub.terminal({ login: "cashier", deviceId: "writer" });
    const many = Array.from({ length: 1_000 }, (_, i) => i);
    for (let from = 0; from < many.length; from += 100) {
      await Promise.all(
        many.slice(from, from + 100).map((i) =>
          writer.change({
            type: "ORDER_UPSERT",
            posReference: `M${i}`,
            baseVersion: 0,
            snapshot: terminalSnapshot(largeOrder),
          }),
        ),
      );
    }
    const slow = await openSocket(hub.url);
    slow.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "slow" });
    slow.socket.pause();
    await until("it to be let in", async () => (await hub.send("GET", "/health")).body.connectedTerminals === 2);
    for (let version = 1; version < 4; version += 1) {
      await writer.change({
        type: "ORDER_UPSERT",
        posReference: "M0",
        baseVersion: version,
        snapshot: terminalSnapshot(largeOrder),
      });
    }
    slow.socket.resume();
    // Arrives as a change, or in a delta if the buffer was full when the first SYNC was sent.
    const isLast = (message: HubMessage): boolean =>
      (message.type === "SYNC" && message.seq === 1_003 && !message.more) ||
      (message.type === "ORDER_CHANGED" && message.seq === 1_003);
    await until("the newest state", () => slow.received.some(isLast), 20_000);
    expect(slow.socket.readyState).toBe(slow.socket.OPEN);
  });

  it("a terminal that requests much and never reads is disconnected [TERM-63]", async () => {
    const hub = await startTestHub({ env: { HUB_HEARTBEAT_MS: "60000" } });
    const lines = Array.from({ length: 500 }, (_, i) => ({ id: `l${i}`, quantity: 1, note: "x".repeat(400) }));
    const upsert = {
      type: "ORDER_UPSERT",
      posReference: "LARGE",
      baseVersion: 0,
      snapshot: terminalSnapshot({ lines }),
    };
    await (await hub.terminal({ deviceId: "writer" })).change(upsert);
    const slow = await openSlow(hub, "slow");
    // Each refusal contains the current order.
    const stale = { ...upsert, baseVersion: 9, snapshot: terminalSnapshot() };
    for (let i = 0; i < 60; i += 1) slow.send({ ...stale, mutationId: crypto.randomUUID() });
    await until("it to be cut off", async () => (await hub.send("GET", "/health")).body.connectedTerminals === 1);
  });
});
