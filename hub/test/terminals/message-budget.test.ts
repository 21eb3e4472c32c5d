import { describe, expect, it } from "vitest";
import type { HubMessage } from "@comanda/protocol";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** Sends `count` messages at once. Returns the answers once the hub has handled all. */
async function flood(
  terminal: TestTerminal,
  count: number,
  make: (n: number) => Record<string, unknown>,
): Promise<HubMessage[]> {
  const from = terminal.received.length;
  for (let n = 0; n < count; n += 1) terminal.send(make(n));
  await terminal.request({ type: "TABLE_UNLOCK", tableId: 99 });
  return terminal.received.slice(from);
}

const refused = (messages: readonly HubMessage[]) =>
  messages.filter((message) => "errorCode" in message && message.errorCode === "RATE_LIMITED");

const budgets: [string, number, number, Record<string, unknown>][] = [
  ["PRESENCE", 10, 5, { type: "PRESENCE", tableId: 1 }],
  ["RESYNC", 30, 1, { type: "RESYNC" }],
  ["LEASE_RELEASE", 200, 20, { type: "LEASE_RELEASE", posReference: "A" }],
  ["TABLE_RESERVE", 200, 20, { type: "TABLE_UNRESERVE", tableId: 1 }],
  ["HEARTBEAT", 60, 5, { type: "HEARTBEAT" }],
  ["ORDER_OFFER", 100, 2, { type: "ORDER_OFFER", epoch: "e", orders: [] }],
  ["an unknown type", 300, 10, { type: "NONSENSE" }],
  ["no type", 300, 10, {}],
];

describe("message budgets", () => {
  it.each(budgets)("a session has a message budget for %s [TERM-81]", async (_, burst, refill, message) => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    const isTable = String(message["type"]).startsWith("TABLE");
    const send = (count: number) => flood(terminal, count, (n) => ({ ...message, requestId: `r${n}` }));
    const refusals = refused(await send(burst + 3));
    // The request that ends the flood counts against the tables' budget too.
    expect(refusals).toHaveLength(isTable ? 4 : 3);
    expect(refusals[0]).toEqual({
      type: "ERROR",
      requestId: `r${burst}`,
      errorCode: "RATE_LIMITED",
      error: expect.any(String),
      retryable: true,
    });
    clock.advance(refill === 1 ? 2_001 : 1_000);
    expect(refused(await send(refill + 3))).toHaveLength(isTable ? 4 : 3);
  });

  it("a session may send 2,000 mutations at once and 200 a second, and excess ones are not applied [TERM-81, TERM-83]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    expect(terminal.hello.mutationRate).toBe(200);
    const upsert = (posReference: string, mutationId: string) => ({
      type: "ORDER_UPSERT",
      mutationId,
      posReference,
      baseVersion: 0,
      snapshot: terminalSnapshot(),
    });
    const seen = { type: "KITCHEN_SEEN", kitchenTicketId: "none", stationId: "grill" };
    const burst = await flood(terminal, 2_000, () => ({ ...seen, mutationId: crypto.randomUUID() }));
    expect(refused(burst)).toEqual([]);
    const mutationId = crypto.randomUUID();
    expect(await flood(terminal, 1, () => ({ ...upsert("A", mutationId), requestId: "r" }))).toContainEqual({
      type: "ORDER_REJECTED",
      requestId: "r",
      mutationId,
      posReference: "A",
      errorCode: "RATE_LIMITED",
      error: expect.any(String),
      retryable: true,
    });
    await terminal.next("ORDER_REJECTED", (answer) => answer.mutationId === mutationId);
    clock.advance(1_000);
    await terminal.change(upsert("A", mutationId));
    const rest = await flood(terminal, 200, () => ({ ...seen, mutationId: crypto.randomUUID() }));
    expect(refused(rest)).toHaveLength(1);
  });

  it("the mutation rate is a setting, and each session has its own budget [TERM-83]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_MUTATION_RATE_MAX: "50" } });
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    const seen = () => ({
      type: "KITCHEN_SEEN",
      mutationId: crypto.randomUUID(),
      kitchenTicketId: "n",
      stationId: "s",
    });
    expect(one.hello.mutationRate).toBe(50);
    expect(refused(await flood(one, 501, seen))).toHaveLength(1);
    expect(refused(await flood(two, 500, seen))).toEqual([]);
  });

  it("a terminal that exceeds its budget for 10 s is disconnected, and one that stops is not [TERM-82]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world, env: { HUB_HEARTBEAT_MS: "600000" } });
    const flooding = await hub.terminal({ deviceId: "hasty" });
    const pausing = await hub.terminal({ deviceId: "sane" });
    for (let second = 0; second <= 10; second += 1) {
      flooding.send({ type: "PRESENCE", tableId: 1 });
      for (let n = 0; n < 20; n += 1) flooding.send({ type: "PRESENCE", tableId: 1 });
      if (second % 4 === 0) for (let n = 0; n < 20; n += 1) pausing.send({ type: "PRESENCE", tableId: 1 });
      await pausing.request({ type: "HEARTBEAT" });
      if (second < 10) await flooding.request({ type: "HEARTBEAT" });
      clock.advance(1_000);
    }
    flooding.send({ type: "RESYNC" });
    for (let n = 0; n < 20; n += 1) flooding.send({ type: "PRESENCE", tableId: 1 });
    expect(await flooding.closed).toBe(1008);
    expect((await pausing.request({ type: "HEARTBEAT" })).type).toBe("HEARTBEAT_ACK");
  });

  it("a terminal is disconnected after 5,000 refused messages [TERM-82]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const sent = () => terminal.received.filter((message) => message.type === "ERROR").length;
    for (let n = 0; n < 4_000; n += 1) terminal.send({ type: "PRESENCE" });
    await until("the answers", () => sent() > 3_900);
    expect(terminal.socket.readyState).toBe(terminal.socket.OPEN);
    for (let n = 0; n < 1_500; n += 1) terminal.send({ type: "PRESENCE" });
    expect(await terminal.closed).toBe(1008);
  });
});
