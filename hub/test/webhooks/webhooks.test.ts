import { createServer as createTcpServer, isIPv6, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import Stripe from "stripe";
import { describe, expect, it, onTestFinished } from "vitest";
import { dineInOrder, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { freePort } from "../support/free-port.ts";
import { operatorOf } from "../support/operator.ts";
import { send } from "../support/send.ts";
import { startHubProgram } from "../support/start-hub-program.ts";
import { startReceiver, type ReceivedRequest, type Receiver } from "../support/start-receiver.ts";
import { startTestHub, type Caller, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const env = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };
const at = (posReference: string): string => `/orders/${encodeURIComponent(posReference)}`;
const signature = Stripe.webhooks.signature!;

async function subscribe(external: Caller, url: string, events?: string[]): Promise<{ id: string; secret: string }> {
  const { status, body } = await external.post("/webhooks", { url, ...(events !== undefined && { events }) });
  expect(status).toBe(201);
  return body;
}

async function pending(hub: TestHub): Promise<number> {
  return (await hub.send("GET", "/health")).body.webhookPending;
}

const eventsOf = (received: readonly ReceivedRequest[]): string[] => received.map(({ body }) => body.event);

describe("subscriptions", () => {
  it("an integration creates and lists webhooks, and sees each secret once [HOOK-1][HOOK-2][HOOK-3]", async () => {
    const hub = await startTestHub({ env });
    const { keyId, token } = await hub.createKey();
    const external = hub.external(token);
    const url = "https://example.test/hook?x=1";
    const created = await external.post("/webhooks", { url, events: ["order.paid", "table.updated"] });
    expect(created).toMatchObject({ status: 201 });
    expect(created.body).toEqual({
      id: expect.stringMatching(/^ws_\w+$/),
      url,
      events: ["order.paid", "table.updated"],
      secret: expect.stringMatching(/^whsec_.{32,}$/),
    });
    for (const events of [undefined, [], ["*"], ["*", "order.paid"]]) {
      expect((await external.post("/webhooks", { url, events })).body.events).toEqual(["*"]);
    }
    const { webhooks } = (await external.get("/webhooks")).body;
    expect(webhooks).toHaveLength(5);
    expect(webhooks[0]).toEqual({
      id: created.body.id,
      url,
      events: ["order.paid", "table.updated"],
      enabled: true,
      createdBy: keyId,
      createdAt: expect.any(String),
    });
    expect(JSON.stringify(webhooks)).not.toContain("whsec_");
  });

  it("a webhook with an invalid address or an unknown event is refused [HOOK-2]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const url = "http://127.0.0.1/x";
    const bad: [Record<string, unknown>, string][] = [
      [{}, "url"],
      [{ url: "" }, "url"],
      [{ url: "nonsense" }, "url"],
      [{ url: "ftp://example.test" }, "url"],
      [{ url: "javascript:alert(1)" }, "url"],
      [{ url: "http://" }, "url"],
      [{ url, events: ["order.exploded"] }, "events"],
      [{ url, events: ["webhook.test"] }, "events"],
      [{ url, events: "order.paid" }, "events"],
      [{ url, secret: "mine" }, "secret"],
    ];
    for (const [body, named] of bad) {
      const answer = await external.post("/webhooks", body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error).toContain(named);
    }
    expect((await external.get("/webhooks")).body).toEqual({ webhooks: [] });
  });

  it("deleting a webhook parks its waiting deliveries [HOOK-4][HOOK-27]", async () => {
    const hub = await startTestHub({ env });
    expect((await hub.send("GET", "/health")).body).not.toHaveProperty("webhookPending");
    const external = hub.external();
    await external.get("/session");
    expect((await hub.send("GET", "/health")).body).toMatchObject({ webhookPending: 0, webhookDeadLettered: 0 });
    const receiver = await startReceiver();
    receiver.answer((response) => void response.writeHead(500).end());
    const { id } = await subscribe(external, receiver.url, ["order.created"]);
    await external.post("/orders", takeoutOrder());
    await receiver.count(1);
    expect(await pending(hub)).toBe(1);
    expect(await external.delete(`/webhooks/${id}`)).toMatchObject({ status: 200, body: { deleted: true } });
    await until("parked", async () => (await pending(hub)) === 0);
    expect((await hub.send("GET", "/health")).body.webhookDeadLettered).toBe(0);
    await external.post("/orders", takeoutOrder());
    expect(await pending(hub)).toBe(0);
    for (const unknownId of [id, "ws_unknown"]) {
      expect(await external.delete(`/webhooks/${unknownId}`)).toMatchObject({
        status: 404,
        body: { errorCode: "NOT_FOUND" },
      });
      expect((await external.post(`/webhooks/${unknownId}/test`)).body.errorCode).toBe("NOT_FOUND");
    }
  });

  it("a test of a webhook sends one signed ping and returns the receiver's answer [HOOK-5]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const receiver = await startReceiver();
    const { id, secret } = await subscribe(external, receiver.url);
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual({ sent: true, status: 200 });
    const [one] = receiver.received as [ReceivedRequest];
    expect(one.body).toEqual({
      id: "test",
      event: "webhook.test",
      timestamp: expect.any(String),
      data: { subscriptionId: id },
    });
    expect(one.headers).toMatchObject({ "x-hub-event": "webhook.test", "content-type": "application/json" });
    expect(signature.verifyHeader(one.raw, one.headers["x-hub-signature"] as string, secret, 60)).toBe(true);
    receiver.answer((response) => void response.writeHead(503).end());
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual({ sent: true, status: 503 });
    receiver.answer((response) => void response.writeHead(302, { location: "/elsewhere" }).end());
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual({ sent: true, status: 302 });
    receiver.answer((response) => void response.socket?.destroy());
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual({ sent: false, error: expect.any(String) });
    receiver.answer(() => {});
    const hung = await external.post(`/webhooks/${id}/test`);
    expect(hung.body).toEqual({ sent: false, error: "unreachable" });
    expect(receiver.received).toHaveLength(5);
    expect(await pending(hub)).toBe(0);
  });
});

describe("events", () => {
  it("each change is sent once as its event, and nothing else is sent [HOOK-10][HOOK-11][HOOK-12]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const all = await startReceiver();
    const paid = await startReceiver();
    await subscribe(external, all.url);
    await subscribe(external, paid.url, ["order.paid"]);
    const { posReference } = (await external.post("/orders", dineInOrder(31, { externalRef: "one" }))).body;
    const writer = `ext:${posReference.split("/")[1]}`;
    await external.post("/orders", dineInOrder(31, { externalRef: "one" }));
    await external.post("/orders", dineInOrder(31));
    await external.patch(at(posReference), { baseVersion: 1, notes: "x" });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    cashier.send({ type: "TABLE_LOCK", tableId: 28 });
    await cashier.next("TABLE_LOCKED");
    cashier.send({ type: "TABLE_RESERVE", tableId: 28 });
    await cashier.next("TABLE_ACK");
    await cashier.change({ type: "ORDER_SEND", posReference });
    const payments = [{ methodId: 1, amount: 118 }];
    await cashier.change({ type: "ORDER_PAY", posReference, baseVersion: 3, payments });
    const received = await all.count(7);
    await until("closed", async () => (await external.get(at(posReference))).body.snapshot.status === "closed");
    await until("all delivered", async () => (await pending(hub)) === 0);
    const announced = (event: string) =>
      received.filter(({ body }) => body.event === event).map(({ body }) => body.data);
    const sorted = (list: { version: number }[]) => list.toSorted((a, b) => a.version - b.version);
    const snapshot = expect.objectContaining({ posReference });
    expect(announced("order.created")).toEqual([{ posReference, version: 1, origin: writer, snapshot }]);
    expect(sorted(announced("order.updated"))).toEqual([
      { posReference, version: 2, origin: writer, snapshot: expect.objectContaining({ notes: "x" }) },
      { posReference, version: 3, origin: "till-1", snapshot: expect.objectContaining({ status: "sent" }) },
      { posReference, version: 5, origin: "hub", snapshot: expect.objectContaining({ status: "closed" }) },
    ]);
    expect(announced("order.paid")).toEqual([
      { posReference, version: 4, origin: "till-1", snapshot: expect.objectContaining({ status: "paid" }) },
    ]);
    expect(announced("table.updated")).toHaveLength(2);
    expect(announced("table.updated")).toEqual(
      expect.arrayContaining([
        { tableId: 31, status: "occupied", posReference, origin: writer },
        { tableId: 31, status: "available", posReference, origin: "till-1" },
      ]),
    );
    expect(all.received).toHaveLength(7);
    expect(eventsOf(paid.received)).toEqual(["order.paid"]);
  });

  it("a discarded check is sent with its last content [HOOK-10]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const receiver = await startReceiver();
    await subscribe(external, receiver.url, ["order.deleted", "table.updated"]);
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    const snapshot = terminalSnapshot({ orderType: "dine_in", tableId: 31, notes: "mistake" });
    await cashier.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    await cashier.change({ type: "ORDER_DISCARD", posReference: "POS/1", baseVersion: 1, reason: "left" });
    const received = await receiver.count(3);
    expect(received.find(({ body }) => body.event === "order.deleted")?.body.data).toEqual({
      posReference: "POS/1",
      version: 2,
      origin: "till-1",
      snapshot: expect.objectContaining({ notes: "mistake" }),
    });
  });

  it("an event shows a terminal's check in the form of the answers, also when it is discarded [EXT-151]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const receiver = await startReceiver();
    await subscribe(external, receiver.url, ["order.created", "order.deleted"]);
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    const snapshot = terminalSnapshot();
    await cashier.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    const { body: read } = await external.get(at("POS/1"));
    await cashier.change({ type: "ORDER_DISCARD", posReference: "POS/1", baseVersion: 1, reason: "left" });
    const received = await receiver.count(2);
    expect(received.map(({ body }) => body.data.snapshot)).toEqual([read.snapshot, read.snapshot]);
    expect(read.snapshot).toMatchObject({ customerName: null, lines: [{ productId: "101" }] });
  });

  it("after a SIGKILL every event is delivered, under the same id [HOOK-13]", { tags: "long" }, async () => {
    const { backOffice, signIn } = await startTestHub();
    const folder = mkdtempSync(path.join(tmpdir(), "hub-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const settings = {
      ...env,
      ERP_URL: backOffice.url,
      HUB_HTTP_PORT: "0",
      HUB_DB_PATH: path.join(folder, "hub.sqlite"),
    };
    const manager = { Authorization: `Bearer ${await signIn("manager")}` };
    const [slow, broken] = [await startReceiver(), await startReceiver()];
    slow.answer((response, { body }) => void (body.data.snapshot.notes === "3" ? response.end() : undefined));
    broken.answer((response) => void response.socket?.destroy());

    const first = await startHubProgram(settings);
    const scopes = ["read", "orders:write", "webhooks:manage"];
    const key = await send(first.url, "POST", "/external-keys", { headers: manager, body: { label: "x", scopes } });
    const headers = { "X-Api-Key": key.body.token };
    for (const { url } of [slow, broken]) {
      const body = { url, events: ["order.created"] };
      expect((await send(first.url, "POST", "/external/v1/webhooks", { headers, body })).status).toBe(201);
    }
    const refs: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      const body = takeoutOrder({ notes: String(n) });
      refs.push((await send(first.url, "POST", "/external/v1/orders", { headers, body })).body.posReference);
    }
    expect(await first.end("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
    const before = [slow, broken].map((receiver) => idsOf(receiver));
    for (const receiver of [slow, broken]) receiver.answer((response) => void response.end());

    const second = await startHubProgram(settings);
    for (const [index, receiver] of [slow, broken].entries()) {
      await until("every order was told", () => refs.every((ref) => idsOf(receiver).has(ref)));
      await until("nothing waits", async () => (await send(second.url, "GET", "/health")).body.webhookPending === 0);
      for (const [ref, ids] of idsOf(receiver)) {
        expect(ids.size, ref).toBe(1);
        const earlier = before[index]?.get(ref);
        if (earlier !== undefined) expect(ids).toEqual(earlier);
      }
      expect(idsOf(receiver).size).toBe(30);
    }
    expect(before[0]?.size).toBeGreaterThan(0);
    expect((await second.end("SIGTERM")).code).toBe(0);
  });
});

/** Returns the delivery ids of each order's events, by order reference. */
function idsOf(receiver: Receiver): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const { body } of receiver.received) {
    const ids = found.get(body.data.posReference) ?? new Set();
    found.set(body.data.posReference, ids.add(body.id));
  }
  return found;
}

describe("deliveries", () => {
  it("a delivery carries its id, its event and a signature that an independent library accepts [HOOK-20][HOOK-21]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const [one, other] = [await startReceiver(), await startReceiver()];
    const { secret } = await subscribe(external, one.url, ["order.created"]);
    await subscribe(external, other.url, ["order.created"]);
    await external.post("/orders", takeoutOrder({ customerName: "Ñandú 🥟", notes: '"\\\n' }));
    const [[mine], [theirs]] = [await one.count(1), await other.count(1)] as [[ReceivedRequest], [ReceivedRequest]];
    expect(Object.keys(mine.body)).toEqual(["id", "event", "timestamp", "data"]);
    expect(mine.body.id).toBeTypeOf("number");
    expect(mine.body.id).not.toBe(theirs.body.id);
    expect(mine.body.data.snapshot.customerName).toBe("Ñandú 🥟");
    expect(Date.parse(mine.body.timestamp)).toBeGreaterThan(Date.now() - 60_000);
    expect(mine.headers).toMatchObject({
      "x-hub-event": "order.created",
      "x-hub-delivery": String(mine.body.id),
      "x-hub-signature": expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
    });
    const header = mine.headers["x-hub-signature"] as string;
    expect(signature.verifyHeader(mine.raw, header, secret, 60)).toBe(true);
    const flipped = Buffer.from(mine.raw);
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    expect(() => signature.verifyHeader(flipped, header, secret, 60)).toThrow();
    expect(() => signature.verifyHeader(mine.raw, header, `${secret}x`, 60)).toThrow();
    expect(() => signature.verifyHeader(theirs.raw, header, secret, 60)).toThrow();
  });

  it("a delivery follows no redirect and reads no endless answer [HOOK-22][HOOK-24]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const [redirecting, target, endless] = [await startReceiver(), await startReceiver(), await startReceiver()];
    redirecting.answer((response) => void response.writeHead(307, { location: target.url }).end());
    let written = 0;
    endless.answer((response) => {
      const writeMore = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        response.write(Buffer.alloc(65_536), () => setImmediate(writeMore));
      };
      writeMore();
    });
    await subscribe(external, redirecting.url, ["order.created"]);
    await subscribe(external, endless.url, ["order.created"]);
    await external.post("/orders", takeoutOrder());
    await redirecting.count(1);
    await until("the endless answer counts as delivered", async () => (await pending(hub)) === 1);
    expect(written).toBeLessThan(32 * 1024 * 1024);
    expect(target.received).toEqual([]);
  });

  it("any 2xx counts as delivered, and no other status does [HOOK-22]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const receiver = await startReceiver();
    await subscribe(external, receiver.url, ["order.created"]);
    for (const status of [200, 201, 202, 204, 299]) {
      receiver.answer((response) => void response.writeHead(status).end());
      await external.post("/orders", takeoutOrder({ notes: String(status) }));
      await receiver.count(1, ({ body }) => body.data.snapshot.notes === String(status));
      await until(`${status} is delivered`, async () => (await pending(hub)) === 0);
    }
    for (const [waiting, status] of [300, 304, 400, 404, 500].entries()) {
      receiver.answer((response) => void response.writeHead(status).end());
      await external.post("/orders", takeoutOrder({ notes: String(status) }));
      await receiver.count(1, ({ body }) => body.data.snapshot.notes === String(status));
      expect(await pending(hub)).toBe(waiting + 1);
    }
  });

  it("hanging and unreachable receivers do not delay others [HOOK-25]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const [hanging, good] = [await startReceiver(), await startReceiver()];
    hanging.answer(() => {});
    for (let n = 0; n < 20; n += 1) await subscribe(external, hanging.url, ["order.created"]);
    const other = hub.external((await hub.createKey()).token);
    await subscribe(other, "http://127.0.0.1:1/closed", ["order.created"]);
    await subscribe(other, good.url, ["order.created"]);
    for (let n = 0; n < 40; n += 1) await external.post("/orders", takeoutOrder());
    await good.count(40);
    expect(hanging.received.length).toBeLessThanOrEqual(20 * 16);
    const terminal = await hub.terminal();
    await terminal.change({
      type: "ORDER_UPSERT",
      posReference: "POS/1",
      baseVersion: 0,
      snapshot: terminalSnapshot(),
    });
    await good.count(41);
    expect(good.connections()).toBeLessThanOrEqual(16);
  });

  it("addresses that resolve to no receiver, such as link-local and multicast, are refused [HOOK-26]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const test = async (url: string): Promise<string> => {
      const { id } = await subscribe(external, url, ["order.paid"]);
      const { body } = await external.post(`/webhooks/${id}/test`);
      await external.delete(`/webhooks/${id}`);
      return body.sent === false ? body.error : String(body.status);
    };
    for (const url of [
      "http://169.254.1.1/",
      "http://[fe80::1]/",
      "http://224.0.0.1/",
      "http://[ff02::1]/",
      "http://0.0.0.0:9999/",
      "http://0/",
      "http://[::]/",
      "http://[::ffff:169.254.1.1]/",
      "http://2851995905/",
    ]) {
      expect(await test(url), url).toBe("not_allowed");
    }
    const receiver = await startReceiver();
    expect(await test(receiver.url)).toBe("200");
    expect(await test(receiver.url.replace("127.0.0.1", "localhost"))).toBe("200");
  });

  it("a webhook to the hub itself is refused when it is created, under all of the hub's names [EXT-92]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    const named = ["127.0.0.1", "2130706433", "0x7f.1", "①②⑦.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::]"];
    const names = ["localhost", "LOCALHOST.", "hub.localhost", hostname(), `${hostname()}.local`];
    const interfaces = own.map((address) => (isIPv6(address) ? `[${address}]` : address));
    for (const host of [...named, ...names, ...interfaces]) {
      expect(await external.post("/webhooks", { url: `http://${host}:${hub.port}/health` }), host).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR", error: expect.stringMatching(/^url: this is the hub itself/) },
      });
    }
    const byManager = await operatorOf(hub)("createWebhook", { body: { url: `http://localhost:${hub.port}/` } });
    expect(byManager).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    expect((await external.get("/webhooks")).body).toEqual({ webhooks: [] });
    const receiver = await startReceiver();
    for (const url of [receiver.url, `http://no-such-host.invalid:${hub.port}/`, `http://192.0.2.7:${hub.port}/`]) {
      expect((await external.post("/webhooks", { url })).status, url).toBe(201);
    }
  });

  it("the hub sends nothing to itself when its port has become that of a webhook [HOOK-26]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const port = await freePort();
    const { id } = await subscribe(external, `http://localhost:${port}/`, ["order.paid"]);
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      db.prepare("UPDATE webhook_subscriptions SET url = ?").run(`http://localhost:${hub.port}/`);
      db.close();
    });
    expect((await external.post(`/webhooks/${id}/test`)).body).toEqual({ sent: false, error: "not_allowed" });
  });

  it("an answer that is not HTTP is followed by another attempt [HOOK-22]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    let received = 0;
    const server = createTcpServer((socket) => {
      socket.once("data", () => {
        received += 1;
        socket.end("hello");
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    await subscribe(external, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ["order.created"]);
    await external.post("/orders", takeoutOrder());
    await until("it was tried", () => received === 1);
    expect(await pending(hub)).toBe(1);
    await until("and again 5 s later", () => received === 2);
  });
});
