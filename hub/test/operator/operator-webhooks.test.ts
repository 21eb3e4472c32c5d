import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { WebhookDelivery, WebhookEvent } from "@comanda/protocol";
import Stripe from "stripe";
import { describe, expect, it, onTestFinished } from "vitest";
import { dineInOrder, takeoutOrder } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

interface Received {
  headers: IncomingMessage["headers"];
  body: string;
}

/** Starts a receiver on loopback that answers with `status`, which tests may change. */
async function startReceiver(status = 200) {
  const received: Received[] = [];
  const receiver = { url: "", status, received };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(receiver.status, { "Content-Type": "text/plain" });
      response.end("x".repeat(10_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

describe("webhooks and keys", () => {
  it("creating a webhook returns its secret only once and records who created it [OP-24]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { url } = await startReceiver();
    const created = await call("createWebhook", { body: { url, events: ["order.created"] } });
    expect(created).toMatchObject({ status: 201, body: { url, events: ["order.created"] } });
    const { secret, id } = created.body;
    expect(secret).toMatch(/^whsec_/);
    const elsewhere = [await call("webhooks"), await call("audit"), await call("diagnostics"), await call("feed")];
    expect(JSON.stringify(elsewhere.map((answer) => answer.body))).not.toContain(secret);
    expect((await call("webhooks")).body).toMatchObject({
      paused: false,
      webhooks: [{ id, url, enabled: true, createdBy: "hub", pending: 0, deadLettered: 0 }],
    });
    expect((await call("audit")).body.entries).toMatchObject([{ action: "webhook.create", target: url }]);
  });

  it("a delivery is shown with its body, its signed headers and the start of the answer [OP-26, OP-46]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const receiver = await startReceiver();
    const { secret } = (await call("createWebhook", { body: { url: receiver.url } })).body;
    const { posReference } = (await hub.external().post("/orders", takeoutOrder())).body;
    const delivery = await until("delivered", async () => {
      const page = (await call("deliveries", { query: { search: posReference, state: "delivered" } })).body;
      return page.deliveries[0];
    });
    expect(delivery).toMatchObject({ event: "order.created", subject: posReference, attempts: 1, lastStatus: 200 });
    const detail = (await call("delivery", { params: { deliveryId: delivery.id } })).body;
    const [got] = receiver.received;
    expect(detail.body).toBe(got?.body);
    const [attempt] = detail.attempts;
    expect(attempt.answer).toHaveLength(4096);
    expect(attempt.headers["x-hub-signature"]).toBe(got?.headers["x-hub-signature"]);
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(attempt.headers["x-hub-signature"]) ?? [];
    expect(createHmac("sha256", secret).update(`${t}.${detail.body}`).digest("hex")).toBe(v1);
    const timeline = (await call("orderTimeline", { params: { posReference } })).body.entries;
    expect(timeline).toContainEqual(expect.objectContaining({ kind: "webhook", deliveryId: delivery.id, status: 200 }));
    expect((await call("delivery", { params: { deliveryId: 999 } })).status).toBe(404);
  });

  it("deliveries and checks are found by their table's name as screens show it, in both languages [UI-247]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await call("createWebhook", { body: { url: (await startReceiver()).url, events: ["table.updated"] } });
    const references: Record<number, string> = {};
    // Table 37 is named "Mesa 10", table 60 just "60".
    for (const tableId of [37, 60]) {
      references[tableId] = (await hub.external().post("/orders", dineInOrder(tableId))).body.posReference;
    }
    for (const [search, tableId] of [
      ["mesa 10", 37],
      ["Mesa 60", 60],
      ["table 60", 60],
    ] as const) {
      const { deliveries, total } = (await call("deliveries", { query: { search } })).body;
      expect([search, total, deliveries]).toEqual([search, 1, [expect.objectContaining({ tableId })]]);
      const { orders } = (await call("orders", { query: { search } })).body;
      expect([search, orders]).toEqual([search, [expect.objectContaining({ posReference: references[tableId] })]]);
    }
    // Table 37 has another name.
    for (const search of ["mesa 11", "table 37", "37"]) {
      expect([search, (await call("deliveries", { query: { search } })).body.total]).toEqual([search, 0]);
    }
  });

  it("replaying a delivery keeps its id, its body and the log of earlier attempts [OP-25]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const receiver = await startReceiver(500);
    await call("createWebhook", { body: { url: receiver.url, events: ["order.created"] } });
    await hub.external().post("/orders", takeoutOrder());
    const failed = await until("failed", async () => {
      const [delivery] = (await call("deliveries", { query: { state: "pending" } })).body.deliveries;
      return delivery?.lastStatus === 500 ? delivery : null;
    });
    expect(failed.nextAttemptAt).not.toBeNull();
    expect((await call("webhooks")).body.webhooks).toMatchObject([
      { pending: 1, consecutiveFailures: 1, lastFailure: { status: 500 } },
    ]);
    receiver.status = 204;
    const params = { deliveryId: failed.id };
    await call("replayDelivery", { params });
    const { delivery, attempts } = await until("delivered", async () => {
      const { body } = await call("delivery", { params });
      return body.delivery.state === "delivered" ? body : null;
    });
    expect(delivery.attempts).toBe(1);
    expect(attempts).toMatchObject([{ status: 500 }, { status: 204 }]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it("a test sends a signed sample of any event, marked as a test, and returns what was sent [OP-186]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const receiver = await startReceiver(204);
    const { id, secret } = (await call("createWebhook", { body: { url: receiver.url, events: ["order.paid"] } })).body;
    const params = { webhookId: id };
    for (const event of WebhookEvent.options) {
      const { body: result } = await call("testWebhook", { params, body: { event } });
      const got = receiver.received.at(-1);
      expect(result).toMatchObject({ sent: true, status: 204, request: { body: got?.body } });
      const { "x-hub-signature": signature } = result.request.headers;
      expect(got?.headers).toMatchObject({
        "x-hub-event": event,
        "x-hub-delivery": "test",
        "x-hub-signature": signature,
      });
      const sent = Stripe.webhooks.constructEvent(got?.body ?? "", signature, secret) as unknown as { data: unknown };
      expect(sent).toMatchObject({ id: "test", test: true, event, timestamp: expect.stringMatching(/^\d{4}-.*Z$/) });
      // Except for its id it is a valid delivery.
      expect(WebhookDelivery.safeParse({ ...sent, id: 1 }).error, event).toBeUndefined();
      expect(JSON.stringify(sent.data), event).toMatch(/"posReference":"TEST\//);
    }
    expect(receiver.received).toHaveLength(WebhookEvent.options.length);
    expect((await call("deliveries")).body.deliveries).toEqual([]);
    expect((await call("orders")).body.total).toBe(0);
    expect((await call("testWebhook", { params, body: { event: "order.eaten" } })).status).toBe(400);
    expect((await call("testWebhook", { params })).body).not.toHaveProperty("request");
    expect(JSON.parse(receiver.received.at(-1)?.body ?? "")).toMatchObject({ event: "webhook.test", id: "test" });
  });

  it("a manager pauses, disables, tests and deletes webhooks [OP-47]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const receiver = await startReceiver(202);
    const { id } = (await call("createWebhook", { body: { url: receiver.url } })).body;
    const params = { webhookId: id };
    expect((await call("testWebhook", { params })).body).toMatchObject({ sent: true, status: 202 });
    expect((await call("pauseWebhooks", { body: { paused: true } })).body).toEqual({ paused: true });
    await hub.external().post("/orders", takeoutOrder());
    expect((await call("webhooks")).body).toMatchObject({ paused: true, webhooks: [{ pending: 1 }] });
    expect((await call("overview", { token: null })).body.webhooks).toMatchObject({ pending: 1, paused: true });
    await call("pauseWebhooks", { body: { paused: false } });
    await until("delivered", () => receiver.received.length === 2);
    expect((await call("updateWebhook", { params, body: { enabled: false } })).body.webhook).toMatchObject({
      enabled: false,
    });
    expect((await call("deleteWebhook", { params })).body).toEqual({ deleted: true });
    expect((await call("testWebhook", { params })).status).toBe(404);
    expect((await call("webhooks")).body.webhooks).toEqual([]);
  });

  it("dead letters are grouped, and replaying all of them returns their number [OP-48]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    expect((await call("deadLetters")).body).toEqual({ groups: [] });
    expect((await call("replayDeliveries", { body: {} })).body).toEqual({ replayed: 0 });
    expect((await call("replayDeliveries", { body: { since: "yesterday" } })).status).toBe(400);
  });

  it("the audit log records who created, changed and deleted a key [OP-18]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { keyId } = (await call("createKey", { body: { label: "Kiosk", scopes: ["read"] } })).body;
    await call("updateKey", { params: { keyId }, body: { enabled: false } });
    await call("deleteKey", { params: { keyId } });
    expect((await call("audit", { query: { search: keyId } })).body.entries).toMatchObject([
      { action: "key.delete", target: keyId },
      { action: "key.disable", target: keyId },
      { action: "key.create", target: keyId, note: { words: "Kiosk" }, userName: expect.any(String) },
    ]);
  });
});

describe("plugin records and reservations", () => {
  it("records of all plugins are listed, and a manager deletes one [OP-49]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "loyalty,reservations" } });
    const call = operatorOf(hub);
    await hub.external().post("/plugins/loyalty/events", { key: "k/1", payload: { points: 7 } });
    expect((await call("plugins")).body).toMatchObject({
      enabled: ["loyalty", "reservations"],
      records: [{ pluginId: "loyalty", key: "k/1", payload: { points: 7 } }],
    });
    const params = { pluginId: "loyalty", key: "k/1" };
    expect((await call("deletePluginRecord", { params })).body).toEqual({ deleted: true });
    expect((await call("deletePluginRecord", { params })).status).toBe(404);
    expect((await call("plugins")).body.records).toEqual([]);
  });

  it("a booking that terminals would ignore is listed with the reason [OP-27]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "reservations" } });
    const call = operatorOf(hub);
    const at = new Date();
    const post = (key: string, payload: Record<string, unknown>) =>
      hub.external().post("/plugins/reservations/events", { key, payload });
    await post("good", { tableId: 61, at: at.toISOString(), guestName: "Ana" });
    await post("bad", { tableId: 61, at: "tonight", guestName: "Berta" });
    await post("other-day", {
      tableId: 61,
      at: new Date(at.getTime() + 3 * 86_400_000).toISOString(),
      guestName: "Eva",
    });
    await post("lost", { tableId: 987, at: at.toISOString(), guestName: "Carla" });
    await until("the floor plan", async () => (await call("floorPlan")).body.floors.length > 0);
    const { reservations, enabled } = (await call("reservations")).body;
    expect(enabled).toBe(true);
    const problems = Object.fromEntries(
      reservations.map(({ key, problem }: { key: string; problem: object | null }) => [key, problem]),
    );
    expect(problems).toEqual({
      good: null,
      bad: { words: expect.stringContaining("at") },
      lost: { reason: "booking_unknown_table", values: { tableId: "987" } },
    });
  });
});
