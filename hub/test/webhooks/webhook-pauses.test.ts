import { describe, expect, it } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { HOUR, key, MINUTE, openWebhooks, SECOND } from "./open-webhooks.ts";
import { operatorOf } from "../support/operator.ts";
import { startReceiver, type Receiver } from "../support/start-receiver.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";
import { pausedUntil, PAUSE_AFTER } from "../../webhooks/subscriptions/pauses.ts";

const EVENTS = 60;

/** Creates a paused subscription: its receiver has refused many events. */
async function openPaused() {
  const receiver = await startReceiver();
  receiver.answer((response) => void response.writeHead(500).end());
  const opened = await openWebhooks(receiver);
  const setup = opened.current();
  for (let table = 1; table <= EVENTS; table += 1) {
    await setup.change(table, "occupied");
    // Results are saved after a short delay.
    opened.clock.advance(20);
  }
  await until("the pause", () => {
    opened.clock.advance(20);
    return setup.webhooks.pausedUntil(opened.subscription) !== null;
  });
  return { ...opened, receiver };
}

/** Returns the distinct tables that a receiver got events for, in ascending order. */
function tablesOf({ received }: Receiver): number[] {
  const tables = received
    .filter(({ body }) => body.event !== "webhook.test")
    .map(({ body }) => body.data.tableId as number);
  return [...new Set(tables)].toSorted((a, b) => a - b);
}

const allTables = Array.from({ length: EVENTS }, (_, index) => index + 1);

describe("paused receivers", () => {
  it("events for a silent receiver are gathered, counted as waiting, and delivered once it answers [HOOK-120]", async () => {
    const { receiver, subscription, current, reopen, clock } = await openPaused();
    expect(current().deliveries.list({ limit: 100 }).length).toBeLessThan(PAUSE_AFTER + 4);
    expect(current().waiting.counts().pending).toBe(EVENTS);
    expect(current().waiting.countsOf(current().subscriptions.list()[0]!)).toMatchObject({ pending: EVENTS });
    const attempted = receiver.received.length;
    await current().change(EVENTS + 1, "occupied");
    expect(receiver.received).toHaveLength(attempted);

    await reopen();
    receiver.answer((response) => void response.end());
    clock.advance(HOUR);
    await current().dispatcher.start();
    await until("everything to be delivered", () => current().waiting.counts().pending === 0);
    expect(tablesOf(receiver)).toEqual([...allTables, EVENTS + 1]);
    const delivered = current().deliveries.list({ limit: 100 });
    expect(delivered).toHaveLength(EVENTS + 1);
    expect(new Set(delivered.map(({ state }) => state))).toEqual(new Set(["delivered"]));
    expect(current().webhooks.pausedUntil(subscription)).toBe(null);
    // Later events get a delivery at once.
    await current().change(EVENTS + 2, "occupied");
    await until("the next one", () => tablesOf(receiver).includes(EVENTS + 2));
  });

  it("the pauses of a silent receiver get longer, up to ten minutes [HOOK-121]", () => {
    const failure = { at: 1_000, status: null, error: "unreachable" as const };
    const pauses = [15, 16, 17, 18, 19, 20, 21, 500].map((consecutiveFailures) => {
      const health = { consecutiveFailures, lastSuccessAt: null, lastFailure: failure };
      const end = pausedUntil(health, 5_000);
      return end === null ? null : (end - failure.at) / SECOND;
    });
    expect(pauses).toEqual([null, 5, 30, 120, 300, 600, 600, 600]);
    const health = { consecutiveFailures: 16, lastSuccessAt: null, lastFailure: { ...failure, at: 9_000 } };
    expect(pausedUntil(health, 2_000)).toBe(2_000 + 5 * SECOND);
  });

  it("a silent receiver gets one gathered event per pause, and retries that are due as usual [HOOK-121]", async () => {
    const { receiver, current, clock } = await openPaused();
    const setup = current();
    const [first] = setup.deliveries.list({ limit: 100 }).slice(-1);
    expect(first).toMatchObject({ attempts: 1 });
    clock.advance(5 * SECOND);
    await until("the second attempt", () => setup.deliveries.get(first!.id)?.attempts === 2);
    const attempted = receiver.received.length;
    clock.advance(10 * 60 * SECOND);
    await until("another one", () => receiver.received.length > attempted);
    expect(setup.waiting.counts().pending).toBe(EVENTS);
    expect(setup.deliveries.list({ limit: 100 }).length).toBeLessThan(EVENTS / 2);
  });

  it("retries that fail during a pause do not extend it [HOOK-121]", async () => {
    const { subscription, current, clock } = await openPaused();
    const { deliveries, webhooks } = current();
    const tried = deliveries.list({ limit: 100 });
    clock.advance(5 * SECOND);
    const now = (): number => clock.world.clock.now();
    await until("every second failure", () => {
      clock.advance(20);
      return tried.every(({ id }) => (deliveries.get(id)?.nextAttemptAt ?? 0) > now() + 20 * SECOND);
    });
    expect(webhooks.pausedUntil(subscription)! - now()).toBeLessThanOrEqual(30 * SECOND);
  });

  it("a silent receiver is tried again after its pause even if the clock was set back by days [HOOK-121, CLOCK-19]", async () => {
    const { receiver, reopen, current, clock } = await openPaused();
    const { deliveries } = current();
    // Settles all earlier deliveries, whose retries could end the pause.
    for (const { id } of deliveries.list({ limit: 100 })) deliveries.settleDead(id, clock.world.clock.now());
    receiver.answer((response) => void response.end());
    await reopen(() => clock.jumpWall(-48 * HOUR));
    await current().dispatcher.start();
    clock.advance(11 * MINUTE);
    await until("what was gathered", () => tablesOf(receiver).includes(EVENTS));
  });

  it("a pause ends at once when a test is answered or a delivery is replayed [HOOK-122]", async () => {
    const { receiver, subscription, current } = await openPaused();
    receiver.answer((response) => void response.end());
    expect(await current().webhooks.test(subscription.id)).toMatchObject({ status: 200 });
    await until("what was gathered", () => tablesOf(receiver).includes(EVENTS));

    const other = await openPaused();
    other.receiver.answer((response) => void response.end());
    expect(await other.current().webhooks.replay(1, key)).toBe(true);
    await until("what was gathered", () => tablesOf(other.receiver).includes(EVENTS));
  });

  it("enabling a paused webhook delivers what was gathered before it was disabled, and nothing from between [HOOK-123]", async () => {
    const { receiver, subscription, current } = await openPaused();
    const setup = current();
    await setup.webhooks.setEnabled(subscription.id, false, key);
    await until("nothing to wait", () => setup.waiting.counts().pending === 0);
    await setup.change(EVENTS + 1, "occupied");
    receiver.answer((response) => void response.end());
    await setup.webhooks.setEnabled(subscription.id, true, key);
    await setup.change(EVENTS + 2, "occupied");
    await until("everything", () => tablesOf(receiver).length === EVENTS + 1);
    expect(tablesOf(receiver)).toEqual([...allTables, EVENTS + 2]);
  });

  it("a webhook that is enabled while its receiver is still silent is paused again [HOOK-121]", async () => {
    const { receiver, subscription, current, clock } = await openPaused();
    const setup = current();
    await setup.webhooks.setEnabled(subscription.id, false, key);
    await setup.webhooks.setEnabled(subscription.id, true, key);
    await until("the next pause", () => {
      clock.advance(20);
      return setup.webhooks.pausedUntil(subscription) !== null;
    });
    const attempted = receiver.received.length;
    for (let table = EVENTS + 1; table <= 2 * EVENTS; table += 1) await setup.change(table, "occupied");
    expect(receiver.received.length - attempted).toBeLessThan(5);
    receiver.answer((response) => void response.end());
    await setup.webhooks.test(subscription.id);
    await until("everything", () => {
      clock.advance(1_000);
      return tablesOf(receiver).length === 2 * EVENTS;
    });
  });

  it("gathered events are deleted after seven days, and not before [HOOK-124]", async () => {
    const { current, clock } = await openPaused();
    const setup = current();
    const other = await setup.webhooks.create({ url: "http://127.0.0.1:1/", events: ["order.paid"] }, key);
    const events = () => setup.sql().prepare("SELECT count(*) FROM webhook_events").pluck().get();
    await setup.pruning.runNow();
    setup.pruning.start();
    clock.advance(7 * 24 * HOUR - HOUR);
    await setup.pruning.runNow();
    expect(setup.waiting.counts().pending + setup.deliveries.counts().deadLettered).toBe(EVENTS);
    clock.advance(2 * HOUR);
    await setup.pruning.runNow();
    await until("nothing is gathered", () => setup.subscriptions.list()[0]?.gathered === null);
    await until("only what has a delivery", () => (events() as number) < EVENTS / 2);
    expect(setup.subscriptions.get(other.id)).not.toBeNull();
  });

  it("a webhook's pause is shown in health, to its integration and to managers [HOOK-125, HUB-140]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" } });
    const external = hub.external();
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(503).end());
    await external.post("/webhooks", { url: receiver.url, events: ["order.created"] });
    expect((await external.get("/webhooks")).body.webhooks[0].pausedUntil).toBeUndefined();
    for (let n = 0; n < 30; n += 1) await external.post("/orders", takeoutOrder());
    const { body } = await until("the pause", async () => {
      const answer = await hub.send("GET", "/health");
      return answer.body.reasons.includes("webhooks") && answer;
    });
    expect(body).toMatchObject({ status: "degraded", webhookPending: 30, webhookDeadLettered: 0 });
    expect((await external.get("/webhooks")).body.webhooks[0]).toMatchObject({ pausedUntil: expect.any(String) });
    const operator = operatorOf(hub);
    expect((await operator("webhooks")).body.webhooks[0]).toMatchObject({
      pending: 30,
      pausedUntil: expect.any(String),
    });
    expect((await operator("overview")).body.webhooks).toMatchObject({ pending: 30, receiversPaused: 1 });
    expect((await operator("feed")).body.entries).toContainEqual(
      expect.objectContaining({ kind: "webhook_paused", level: "warn" }),
    );
  });
});

describe("contents of events", () => {
  it("an event's content is packed after an hour, and is shown and sent unchanged [KEEP-100]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { current, clock } = await openWebhooks(receiver);
    const setup = current();
    await setup.change(1, "occupied");
    await until("planned", () => setup.deliveries.get(1)?.nextAttemptAt);
    const body = setup.deliveries.body(1);
    const written = () => setup.sql().prepare("SELECT length(content) FROM webhook_events").pluck().get();
    setup.pruning.start();
    await setup.pruning.runNow();
    expect(written()).toBeGreaterThan(0);
    receiver.answer((response) => void response.end());
    clock.advance(HOUR + SECOND);
    await setup.pruning.runNow();
    expect(written()).toBe(0);
    expect(setup.deliveries.body(1)).toBe(body);
    await until("delivered", () => setup.deliveries.get(1)?.state === "delivered");
    expect(String(receiver.received.at(-1)?.raw)).toBe(body);
  });
});
