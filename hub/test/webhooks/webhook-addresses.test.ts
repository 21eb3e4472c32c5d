import { describe, expect, it } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

describe("addresses of webhooks", () => {
  it("only a webhook's creator sees the query of its address, and nobody sees its user and password [HOOK-35, HOOK-126]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const url = `${receiver.url.replace("http://", "http://ana:hunter2@")}?token=s3cret`;
    const ownerUrl = `${receiver.url.replace("http://", "http://***@")}?token=s3cret`;
    const shown = `${receiver.url.replace("http://", "http://***@")}?***`;
    const owner = hub.external((await hub.createKey(undefined, "Owner")).token);
    const other = hub.external((await hub.createKey(undefined, "Other")).token);
    const created = (await owner.post("/webhooks", { url, events: ["order.created"] })).body;
    expect(created.url).toBe(ownerUrl);
    expect((await owner.get("/webhooks")).body.webhooks).toMatchObject([{ url: ownerUrl }]);
    expect((await other.get("/webhooks")).body.webhooks).toMatchObject([{ url: shown }]);

    const byManager = (await call("createWebhook", { body: { url, events: ["order.created"] } })).body;
    const params = { webhookId: byManager.id };
    await call("testWebhook", { params });
    const { posReference } = (await owner.post("/orders", takeoutOrder())).body;
    const attempted = receiver.count(2, ({ body }) => body.event === "order.created");
    for (const { headers } of await attempted) {
      expect(headers.authorization).toBe(`Basic ${Buffer.from("ana:hunter2").toString("base64")}`);
    }
    await until("both attempts are written down", async () => {
      const { deliveries } = (await call("deliveries")).body;
      return (
        deliveries.every(({ lastStatus }: { lastStatus: number }) => lastStatus === 500) && deliveries.length === 2
      );
    });
    expect((await call("webhooks")).body.webhooks).toMatchObject([{ url: shown }, { url: shown }]);
    await call("updateWebhook", { params, body: { enabled: false } });
    await call("deleteWebhook", { params });
    const received = await Promise.all([
      call("webhooks"),
      call("deliveries"),
      call("delivery", { params: { deliveryId: 1 } }),
      call("deadLetters"),
      call("orderTimeline", { params: { posReference } }),
      call("audit"),
      call("feed"),
      call("logs", { query: { level: "debug" } }),
      other.get("/webhooks"),
    ]);
    for (const { body } of received) expect(JSON.stringify(body)).not.toMatch(/hunter2|s3cret/);
  });

  it("user and password in a webhook's address are sent as written, where a % begins no escape [HOOK-126]", async () => {
    const hub = await startTestHub();
    const receiver = await startReceiver();
    const external = hub.external();
    const url = receiver.url.replace("http://", "http://ana:100%25%@");
    const { id } = (await external.post("/webhooks", { url })).body;
    expect((await external.post(`/webhooks/${id}/test`)).body).toMatchObject({ sent: true, status: 200 });
    const authorization = `Basic ${Buffer.from("ana:100%%").toString("base64")}`;
    expect((await receiver.count(1))[0]?.headers).toMatchObject({ authorization });
  });

  it("another key may delete a webhook, and the audit log names it [HOOK-36]", async () => {
    const hub = await startTestHub();
    const [one, two] = [await hub.createKey(undefined, "Webshop"), await hub.createKey(undefined, "Dashboard")];
    const url = "http://example.test/hook?token=s3cret";
    const { id } = (await hub.external(one.token).post("/webhooks", { url })).body;
    expect((await hub.external(two.token).delete(`/webhooks/${id}`)).body).toEqual({ deleted: true });
    expect((await hub.external(two.token).delete(`/webhooks/${id}`)).status).toBe(404);
    const { entries } = (await operatorOf(hub)("audit", { query: { search: "webhook." } })).body;
    const target = "http://example.test/hook?***";
    const note = { reason: "note_made_by", values: { id, createdBy: one.keyId } };
    expect(entries).toMatchObject([
      { action: "webhook.delete", userName: `Dashboard (ext:${two.keyId})`, target, note },
      { action: "webhook.create", userName: `Webshop (ext:${one.keyId})`, target, note },
    ]);
  });
});
