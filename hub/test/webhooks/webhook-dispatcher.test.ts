import type { ServerResponse } from "node:http";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { manualClock } from "../support/manual-clock.ts";
import { HOUR, key, MINUTE, openWebhooks, SECOND } from "./open-webhooks.ts";
import { UNDER_WAY } from "../../webhooks/deliveries/delivery-queue.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { until } from "../support/until.ts";

const DAY = 24 * HOUR;

/** Real time, for a stop that waits for requests in flight. */
const realClock = () => ({ ...manualClock(), world: {} as never });

describe("retry schedule", () => {
  it("a failing delivery gets eight attempts, each with its own signature, and is then given up [HOOK-21][HOOK-23]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end("broken"));
    const { clock, subscription, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.change(1, "occupied");
    const waits = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR];
    for (const [index, wait] of waits.entries()) {
      await receiver.count(index + 1);
      const next = await until("the next attempt is planned", () => setup.deliveries.get(1)?.nextAttemptAt);
      expect(next - clock.world.clock.now()).toBe(wait);
      expect(setup.deliveries.counts()).toEqual({ pending: 1, deadLettered: 0 });
      clock.advance(wait);
    }
    await receiver.count(8);
    await until("given up", () => setup.deliveries.get(1)?.state === "dead");
    expect(setup.deliveries.counts()).toEqual({ pending: 0, deadLettered: 1 });
    clock.advance(DAY);
    expect(new Set(receiver.received.map(({ body }) => body.id))).toEqual(new Set([1]));
    const times = receiver.received.map(({ raw, headers }) => {
      const header = String(headers["x-hub-signature"]);
      expect(Stripe.webhooks.signature!.verifyHeader(raw, header, subscription.secret, 10 * 365 * 86_400)).toBe(true);
      return Number(/t=(\d+)/.exec(header)?.[1]);
    });
    expect(times.slice(1).map((time, n) => (time - (times[n] ?? 0)) * SECOND)).toEqual(waits);
    const attempts = setup.deliveries.listAttempts(1);
    expect(attempts.map(({ attempt, status, answer }) => [attempt, status, answer])).toEqual(
      Array.from({ length: 8 }, (_, n) => [n + 1, 500, "broken"]),
    );
    expect(receiver.received).toHaveLength(8);
  });

  it("a dead letter is replayed with all its attempts, one at a time or all since a given time [HOOK-29]", async () => {
    const receiver = await startReceiver();
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    for (const tableId of [1, 2, 3]) {
      await setup.change(tableId, "occupied");
      await until("delivered", () => setup.deliveries.counts().pending === 0);
      clock.advance(MINUTE);
    }
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'dead', attempts = 8");
    expect(setup.deliveries.listDeadGroups()).toMatchObject([{ count: 3 }]);
    expect(await setup.webhooks.replay(1, key)).toBe(true);
    expect(await setup.webhooks.replay(99, key)).toBe(false);
    await receiver.count(4);
    await until("delivered", () => setup.deliveries.get(1)?.state === "delivered");
    expect(setup.deliveries.get(1)?.attempts).toBe(1);
    const since = (setup.deliveries.get(2)?.createdAt ?? 0) + 1;
    expect(await setup.webhooks.replayDead({ since }, key)).toBe(1);
    await receiver.count(2, ({ body }) => body.id === 3);
    expect(await setup.webhooks.replayDead({ subscriptionId: "ws_other" }, key)).toBe(0);
    expect(await setup.webhooks.replayDead({}, key)).toBe(1);
    await receiver.count(2, ({ body }) => body.id === 2);
    await until("delivered", () => setup.deliveries.counts().pending === 0);
    expect(setup.deliveries.counts().deadLettered).toBe(0);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["has not answered", () => {}],
    ["is still sending its headers", (response) => void response.socket?.write("HTTP/1.1 200 OK\r\nx-slow: ")],
  ])("an attempt ends as unreachable when the receiver %s after 10 seconds [HOOK-22]", async (_, answer) => {
    const receiver = await startReceiver();
    receiver.answer(answer);
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.change(1, "occupied");
    await receiver.count(1);
    clock.advance(9_999);
    expect(setup.deliveries.listAttempts(1)).toEqual([]);
    clock.advance(1);
    await until("the result is saved", () => setup.deliveries.listAttempts(1).length === 1);
    expect(setup.deliveries.listAttempts(1)).toMatchObject([{ status: null, error: "unreachable", ms: 10_000 }]);
  });

  it("an answer whose body stalls counts by its status 2 seconds later [HOOK-22]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(202, { "content-length": 9 }).write("1"));
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.change(1, "occupied");
    await receiver.count(1);
    await until("the result is saved", () => {
      clock.advance(100);
      return setup.deliveries.listAttempts(1).length === 1;
    });
    expect(setup.deliveries.get(1)?.state).toBe("delivered");
    expect(setup.deliveries.listAttempts(1)).toMatchObject([{ status: 202, error: null }]);
  });

  it("a retry is not delayed when the clock is set back [HOOK-23]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { clock, current } = await openWebhooks(receiver);
    await current().change(1, "occupied");
    await receiver.count(1);
    await until("planned", () => current().deliveries.get(1)?.nextAttemptAt);
    clock.jumpWall(-DAY);
    clock.advance(5 * SECOND);
    await receiver.count(2);
  });

  it.each([-HOUR, -74 * 365 * DAY])(
    "a retry is not delayed when the clock was set back by %i ms while the hub was off [CLOCK-19]",
    async (jump) => {
      const receiver = await startReceiver();
      receiver.answer((response) => void response.writeHead(500).end());
      const { clock, current, reopen } = await openWebhooks(receiver);
      await current().change(1, "occupied");
      await receiver.count(1);
      await until("planned", () => current().deliveries.get(1)?.nextAttemptAt);
      await reopen(() => clock.jumpWall(jump));
      await current().dispatcher.start();
      await receiver.count(2);
      const planned = await until("planned", () => current().deliveries.get(1)?.nextAttemptAt);
      expect(planned - clock.world.clock.now()).toBe(30 * SECOND);
    },
  );

  it("a restart leaves the time of a retry unchanged when the clock was not set back [CLOCK-19]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { clock, current, reopen } = await openWebhooks(receiver);
    await current().change(1, "occupied");
    await receiver.count(1);
    const planned = await until("planned", () => current().deliveries.get(1)?.nextAttemptAt);
    await reopen();
    await current().dispatcher.start();
    expect(current().deliveries.get(1)).toMatchObject({ attempts: 1, nextAttemptAt: planned });
    clock.advance(5 * SECOND);
    await receiver.count(2);
  });
});

describe("results that cannot be saved", () => {
  it("a delivery whose result could not be saved is sent again under the same id [HOOK-13]", async () => {
    const receiver = await startReceiver();
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    const failed = new Promise<void>((resolve) => setup.changes.addUndoListener(resolve));
    setup
      .sql()
      .exec("CREATE TRIGGER full BEFORE INSERT ON webhook_attempts BEGIN SELECT raise(ABORT, 'no space left'); END");
    await setup.change(1, "occupied");
    await receiver.count(1);
    await failed;
    // The dispatcher is notified one event-loop turn after the group has ended.
    await setup.changes.settled();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(setup.deliveries.get(1)?.state).toBe("pending");
    setup.sql().exec("DROP TRIGGER full");
    clock.advance(5 * SECOND);
    await receiver.count(2);
    await until("delivered", () => setup.deliveries.get(1)?.state === "delivered");
    expect(receiver.received.map(({ body }) => body.id)).toEqual([1, 1]);
  });
});

describe("parking and pausing", () => {
  it("disabling a webhook parks its waiting deliveries, and enabling it sends them [HOOK-4]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { subscription, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.change(1, "occupied");
    await until("planned", () => setup.deliveries.get(1)?.nextAttemptAt);
    await setup.webhooks.setEnabled(subscription.id, false, key);
    await until("parked", () => setup.deliveries.get(1)?.state === "parked");
    await setup.change(2, "occupied");
    expect(setup.deliveries.counts().pending).toBe(0);
    receiver.answer((response) => void response.end());
    await setup.webhooks.setEnabled(subscription.id, true, key);
    await receiver.count(2);
    await until("delivered", () => setup.deliveries.get(1)?.state === "delivered");
    await expect(setup.webhooks.setEnabled("ws_unknown", true, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["a success", 200, { state: "delivered", attempts: 1 }, 2],
    ["a failure", 500, { state: "parked", attempts: 1 }, 1],
  ])(
    "disabling a webhook during an attempt parks the delivery, and %s of that attempt is recorded [HOOK-4]",
    async (_, status, expected, next) => {
      const receiver = await startReceiver();
      const answers: ServerResponse[] = [];
      receiver.answer((response) => void answers.push(response));
      const { subscription, current } = await openWebhooks(receiver, realClock());
      const setup = current();
      await setup.change(1, "occupied");
      await receiver.count(1);
      await setup.webhooks.setEnabled(subscription.id, false, key);
      await until("parked", () => setup.deliveries.get(1)?.state === "parked");
      expect(setup.waiting.counts().pending).toBe(0);
      answers[0]?.writeHead(status).end();
      await until("the result is saved", () => setup.deliveries.listAttempts(1).length === 1);
      expect(setup.deliveries.get(1)).toMatchObject(expected);
      receiver.answer((response) => void response.end());
      await setup.webhooks.setEnabled(subscription.id, true, key);
      await setup.change(2, "occupied");
      expect((await receiver.count(2))[1]?.body.id).toBe(next);
    },
  );

  it("a delivery parked during its attempt is sent again only if the hub ended before the result [HOOK-4]", async () => {
    const receiver = await startReceiver();
    receiver.answer(() => {});
    const { subscription, current, reopen } = await openWebhooks(receiver, realClock());
    const isParked = () => current().deliveries.get(1)?.state === "parked";
    const setEnabled = (isEnabled: boolean) => current().webhooks.setEnabled(subscription.id, isEnabled, key);
    await current().change(1, "occupied");
    await receiver.count(1);
    await setEnabled(false);
    await until("parked", isParked);
    await setEnabled(true);
    await current().change(2, "occupied");
    expect((await receiver.count(2)).map(({ body }) => body.id)).toEqual([1, 2]);
    await setEnabled(false);
    await until("parked", isParked);
    await reopen();
    expect(current().deliveries.get(1)).toMatchObject({ state: "parked", attempts: 0 });
    // State left by a process that was killed during the attempt.
    current().sql().exec(`UPDATE webhook_deliveries SET next_attempt_at = ${UNDER_WAY}`);
    await current().dispatcher.start();
    receiver.answer((response) => void response.end());
    await setEnabled(true);
    await until("delivered", () => current().deliveries.get(1)?.state === "delivered");
  });

  it("a paused dispatcher queues every event and sends none, also across a restart [HOOK-31]", async () => {
    const receiver = await startReceiver();
    const { clock, current, reopen } = await openWebhooks(receiver);
    await current().webhooks.setPaused(true, key);
    await current().change(1, "occupied");
    await reopen();
    await current().dispatcher.start();
    expect(current().webhooks.isPaused()).toBe(true);
    await current().change(2, "occupied");
    clock.advance(HOUR);
    expect(current().deliveries.counts().pending).toBe(2);
    expect(
      current()
        .deliveries.list({ limit: 10 })
        .map(({ attempts }) => attempts),
    ).toEqual([0, 0]);
    await current().webhooks.setPaused(false, key);
    const received = await receiver.count(2);
    expect(received.map(({ body }) => body.id).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });
});

describe("contents of events", () => {
  it("an event's content is stored once for all webhooks, and each receives it under its own id [HOOK-39]", async () => {
    const receiver = await startReceiver();
    const { current } = await openWebhooks(receiver);
    const setup = current();
    for (let n = 0; n < 2; n += 1) await setup.webhooks.create({ url: receiver.url, events: ["table.updated"] }, key);
    await setup.change(1, "occupied");
    const received = await receiver.count(3);
    const rows = setup.sql().prepare("SELECT event, content FROM webhook_events").all() as { content: string }[];
    expect(rows).toEqual([{ event: "table.updated", content: expect.any(String) as string }]);
    const bodies = [1, 2, 3].map((id) => `{"id":${id},${rows[0]?.content.slice(1)}`);
    expect(received.map(({ raw }) => String(raw)).toSorted()).toEqual(bodies);
    expect([1, 2, 3].map(setup.deliveries.body)).toEqual(bodies);
  });

  it("a delivery retried after a restart has the same content [HOOK-39]", async () => {
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { current, reopen, clock } = await openWebhooks(receiver);
    await current().change(1, "occupied");
    const [first] = await receiver.count(1);
    await until("the next attempt is planned", () => current().deliveries.get(1)?.nextAttemptAt);
    await reopen();
    clock.advance(5 * SECOND);
    await current().dispatcher.start();
    const [, second] = await receiver.count(2);
    expect(String(second?.raw)).toBe(String(first?.raw));
  });
});

describe("bulk changes of deliveries", () => {
  it("replaying, parking and unparking many deliveries commits 500 at a time [HOOK-44]", async () => {
    const receiver = await startReceiver();
    const { subscription, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.webhooks.setPaused(true, key);
    setup.sql().exec("INSERT INTO webhook_events (id, event, content) VALUES (1, 'table.updated', '{}')");
    setup
      .sql()
      .prepare(`
      INSERT INTO webhook_deliveries (subscription_id, event, subject, event_id, state, next_attempt_at, created_at)
      SELECT ?, 'table.updated', 'table 1', 1, 'dead', 0, 0 FROM json_each(?)`)
      .run(subscription.id, JSON.stringify(Array.from({ length: 1_200 }, () => 0)));
    const pending = () => setup.deliveries.counts().pending;
    /** Change in the number of pending deliveries per commit. */
    const steps: number[] = [];
    let before = pending();
    setup.changes.addListener(() => {
      if (pending() !== before) steps.push(pending() - before);
      before = pending();
    });
    expect(await setup.webhooks.replayDead({}, key)).toBe(1_200);
    await setup.webhooks.setEnabled(subscription.id, false, key);
    await until("parked", () => pending() === 0);
    await setup.webhooks.setEnabled(subscription.id, true, key);
    await until("waiting again", () => pending() === 1_200);
    expect(steps).toEqual([500, 500, 200, -500, -500, -200, 500, 500, 200]);
  });
});

describe("across a restart", () => {
  it("an attempt interrupted by a crash counts as one, and no ninth attempt is made [HOOK-30]", async () => {
    const receiver = await startReceiver();
    const { current, reopen } = await openWebhooks(receiver);
    await current().webhooks.setPaused(true, key);
    await current().change(1, "occupied");
    await current().change(2, "occupied");
    // State left by a process that was killed during a sixth and an eighth attempt.
    current().sql().exec(`UPDATE webhook_deliveries SET next_attempt_at = ${UNDER_WAY}, attempts = 4 + 2 * id`);
    await current().webhooks.setPaused(false, key);
    await reopen();
    await current().dispatcher.start();
    await receiver.count(1);
    await until("both are settled", () => current().deliveries.counts().pending === 0);
    expect(current().deliveries.get(1)).toMatchObject({ state: "delivered", attempts: 7 });
    expect(current().deliveries.get(2)).toMatchObject({ state: "dead" });
    expect(receiver.received).toHaveLength(1);
  });

  it("an attempt interrupted by a clean stop does not count [HOOK-30]", async () => {
    const receiver = await startReceiver();
    receiver.answer(() => {});
    const { current, reopen } = await openWebhooks(receiver, realClock());
    await current().change(1, "occupied");
    await receiver.count(1);
    await reopen();
    expect(current().deliveries.get(1)).toMatchObject({ state: "pending", attempts: 0 });
    receiver.answer((response) => void response.end());
    await current().dispatcher.start();
    await until("delivered", () => current().deliveries.get(1)?.state === "delivered");
  });

  it("settled deliveries are deleted after seven days, and waiting ones never [HOOK-28]", async () => {
    const receiver = await startReceiver();
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    for (const tableId of [1, 2, 3, 4, 5]) await setup.change(tableId, "occupied");
    await until("delivered", () => setup.deliveries.counts().pending === 0);
    await setup.webhooks.setPaused(true, key);
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'dead' WHERE id = 2");
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'parked' WHERE id = 3");
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'pending' WHERE id = 4");
    const ids = () => setup.deliveries.list({ limit: 10 }).map(({ id }) => id);
    clock.advance(7 * DAY);
    await setup.change(6, "occupied");
    const prune = async (): Promise<void> => {
      setup.pruning.start();
      await setup.pruning.stop();
    };
    await prune();
    expect(ids()).toEqual([6, 5, 4, 3, 2, 1]);
    clock.advance(1);
    await prune();
    expect(ids()).toEqual([6, 4]);
    expect(setup.sql().prepare("SELECT DISTINCT delivery_id AS id FROM webhook_attempts").all()).toEqual([{ id: 4 }]);
    clock.jumpWall(-400 * DAY);
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'dead', created_at = 0");
    await prune();
    expect(ids()).toEqual([6, 4]);
  });

  it("an event's content is deleted with its last delivery, and never while one is waiting [HOOK-40]", async () => {
    const receiver = await startReceiver();
    const { clock, current } = await openWebhooks(receiver);
    const setup = current();
    await setup.webhooks.create({ url: receiver.url, events: ["table.updated"] }, key);
    for (const tableId of [1, 2]) await setup.change(tableId, "occupied");
    await until("delivered", () => setup.deliveries.counts().pending === 0);
    const contents = () => setup.sql().prepare("SELECT id FROM webhook_events ORDER BY id").pluck().all();
    expect(contents()).toEqual([1, 2]);
    await setup.webhooks.setPaused(true, key);
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'pending' WHERE id = 4");
    clock.advance(7 * DAY + 1);
    setup.pruning.start();
    await setup.pruning.stop();
    expect(setup.deliveries.list({ limit: 10 }).map(({ id }) => id)).toEqual([4]);
    expect(contents()).toEqual([2]);
    expect(JSON.parse(setup.deliveries.body(4) ?? "")).toMatchObject({ id: 4, data: { tableId: 2 } });
    setup.sql().exec("UPDATE webhook_deliveries SET state = 'parked'");
    setup.pruning.start();
    await setup.pruning.stop();
    expect(contents()).toEqual([]);
  });

  it("due and expired deliveries are found by an index", async () => {
    const receiver = await startReceiver();
    const { current } = await openWebhooks(receiver);
    const plan = (sql: string): string =>
      (current().sql().prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join("; ");
    const due =
      "SELECT id FROM webhook_deliveries WHERE subscription_id = 'x' AND state = 'pending' AND next_attempt_at <= 1";
    expect(plan(`${due} ORDER BY next_attempt_at, id LIMIT 8`)).toMatch(
      /^SEARCH .* webhook_delivery_by_due \(subscription_id=\? AND next_attempt_at<\?\)$/,
    );
    expect(
      plan("SELECT id FROM webhook_deliveries WHERE state <> 'pending' AND created_at < 1 ORDER BY created_at LIMIT 5"),
    ).toContain("webhook_delivery_settled");
    expect(plan("SELECT count(*) FROM webhook_deliveries WHERE state = 'pending'")).toContain(
      "webhook_delivery_by_due",
    );
  });
});
