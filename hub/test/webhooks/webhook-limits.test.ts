import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { webhookLimits } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createSecretCipher } from "../../db/files/secret-cipher.ts";
import { createSubscriptionStore } from "../../webhooks/subscriptions/subscription-store.ts";
import { realWorld } from "../../platform/world.ts";
import { takeoutOrder } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const env = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };
const url = "http://127.0.0.1:1/hook";
const world = realWorld(pino({ level: "silent" }));

function openStore() {
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const cipher = createSecretCipher(null, world);
  return { db, changes, open: () => createSubscriptionStore({ world, db, cipher, changes }) };
}

describe("limits of webhooks", () => {
  it("a key may have 50 webhooks, and may add one after deleting one [HOOK-32]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const created = await Promise.all(Array.from({ length: 55 }, () => external.post("/webhooks", { url })));
    expect(created.filter(({ status }) => status === 201)).toHaveLength(webhookLimits.perCreator);
    const refused = created.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { errorCode: "LIMIT_REACHED" } });
    expect((await external.get("/webhooks")).body.webhooks).toHaveLength(50);
    const other = hub.external((await hub.createKey()).token);
    expect((await other.post("/webhooks", { url })).status).toBe(201);
    await external.delete(`/webhooks/${created.find(({ status }) => status === 201)?.body.id}`);
    expect((await external.post("/webhooks", { url })).status).toBe(201);
    expect((await external.post("/webhooks", { url })).status).toBe(409);
  });

  it("the hub accepts 100 webhooks in total, managers' included [HOOK-32]", async () => {
    const hub = await startTestHub({ env });
    const call = operatorOf(hub);
    for (let n = 0; n < 50; n += 1) expect((await call("createWebhook", { body: { url } })).status).toBe(201);
    expect((await call("createWebhook", { body: { url } })).body).toMatchObject({ errorCode: "LIMIT_REACHED" });
    for (let key = 0; key < 2; key += 1) {
      const external = hub.external((await hub.createKey()).token);
      for (let n = 0; n < 25; n += 1) expect((await external.post("/webhooks", { url })).status).toBe(201);
    }
    const last = await hub.external().post("/webhooks", { url });
    expect(last).toMatchObject({ status: 409, body: { errorCode: "LIMIT_REACHED" } });
    expect((await call("webhooks")).body.webhooks).toHaveLength(webhookLimits.total);
  });

  it("existing webhooks beyond the limit stay and keep working [HOOK-32]", async () => {
    const { db, changes, open } = openStore();
    for (let n = 0; n < 150; n += 1) {
      db.prepare(`
        INSERT INTO webhook_subscriptions (id, url, events, is_enabled, created_by, created_at, secret)
        VALUES (?, ?, '["*"]', 1, 'k1', 0, 'whsec_x')`).run(`ws_${n}`, url);
    }
    const store = open();
    expect(store.list()).toHaveLength(150);
    expect(store.listSubscribers("order.paid")).toHaveLength(150);
    const make = () => changes.write((tx) => store.create(tx, { url, createdBy: "k2" }).id);
    await expect(make()).rejects.toMatchObject({ code: "LIMIT_REACHED" });
    for (let n = 0; n < 51; n += 1) await changes.write(() => store.remove(1, `ws_${n}`));
    await expect(make()).resolves.toMatch(/^ws_/);
  });
});

describe("subscriptions of an event", () => {
  it("an event's subscriptions are looked up once until a subscription changes [HOOK-33]", async () => {
    const { changes, open } = openStore();
    const store = open();
    const make = (events: string[]) => changes.write((tx) => store.create(tx, { url, events, createdBy: "k1" }).id);
    const ids = (): string[] => store.listSubscribers("order.paid").map(({ id }) => id);
    const [paid, all] = [await make(["order.paid"]), await make(["*"])];
    await make(["table.updated"]);
    expect(ids()).toEqual([paid, all]);
    expect(store.listSubscribers("order.paid")).toBe(store.listSubscribers("order.paid"));
    await changes.write(() => store.setEnabled(paid, false));
    expect(ids()).toEqual([all]);
    await changes.write(() => store.setEnabled(paid, true));
    await changes.write(() => store.remove(1, all));
    expect(ids()).toEqual([paid]);
    const undone = changes.write((tx) => {
      store.create(tx, { url, createdBy: "k1" });
      expect(ids()).toHaveLength(2);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(ids()).toEqual([paid]);
  });

  it("a webhook created or deleted counts from the next order on [HOOK-33]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const receiver = await startReceiver();
    await external.post("/orders", takeoutOrder({ notes: "before" }));
    const { id } = (await external.post("/webhooks", { url: receiver.url, events: ["order.created"] })).body;
    await external.post("/orders", takeoutOrder({ notes: "after" }));
    await receiver.count(1);
    await external.delete(`/webhooks/${id}`);
    await external.post("/orders", takeoutOrder({ notes: "gone" }));
    const { id: second } = (await external.post("/webhooks", { url: receiver.url, events: ["order.created"] })).body;
    await external.post("/orders", takeoutOrder({ notes: "again" }));
    await receiver.count(2);
    expect(receiver.received.map(({ body }) => body.data.snapshot.notes)).toEqual(["after", "again"]);
    expect(second).not.toBe(id);
  });
});
