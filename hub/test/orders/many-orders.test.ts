// @module-tag long
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import Database from "better-sqlite3";
import type { HubMessageOf } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqlTime } from "../../platform/world.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { overwrite } from "../support/data/data-files.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { LONG_AGO, storeOrders } from "../support/data/store-orders.ts";
import { until } from "../support/until.ts";

/** Long enough that a list of orders exceeds the buffers of a connection. */
const LONG_NAME = "n".repeat(1_500);

const PAGE_BYTES = 4096;

async function hubWith(count: number, customerName = "Ana", options: TestHubOptions = {}) {
  const hub = await startTestHub(options);
  let references: string[] = [];
  await hub.restart(() => (references = storeOrders(hub.dbPath, { count, customerName })));
  return { hub, references };
}

interface Summary {
  posReference: string;
}

/** Requests all orders and reads only the head of the answer. */
async function slowReader(hub: TestHub, token: string): Promise<IncomingMessage> {
  const request = get(`${hub.url}/external/v1/orders?status=all`, { headers: { "X-Api-Key": token }, agent: false });
  request.on("error", () => undefined);
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  return response;
}

describe("all orders, for an integration", () => {
  it("a list of all orders is one JSON text, newest activity first [EXT-75]", async () => {
    const { hub, references } = await hubWith(3_000);
    const external = hub.external();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await till.change({ type: "ORDER_UPSERT", posReference: "NEW", baseVersion: 0, snapshot: terminalSnapshot() });
    const answer = await external.get("/orders?status=all");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    const orders: Summary[] = answer.body.orders;
    expect(orders.map((order) => order.posReference)).toEqual(["NEW", ...references.toReversed()]);
    expect(orders[0]).toEqual((await external.get("/orders")).body.orders[0]);
    expect(orders[1]).toEqual({
      posReference: "OLD/2999",
      version: 1,
      tableId: null,
      status: "closed",
      orderType: "takeout",
      ticketNumber: null,
      customerName: "Ana",
      itemCount: 1,
      totals: { subtotal: 100, tax: 0, total: 100 },
      updatedAt: sqlTime(LONG_AGO),
      origin: "till",
    });
  });

  it("a list of all orders leaves out a damaged one, which /health then reports [EXT-72, EXT-75]", async () => {
    const { hub, references } = await hubWith(300);
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      db.exec("UPDATE order_versions SET body = replace(body, 'Ana', 'Eva') WHERE pos_reference = 'OLD/7'");
      db.close();
    });
    const { body } = await hub.external().get("/orders?status=all");
    expect(body.orders.map((order: Summary) => order.posReference)).toEqual(
      references.filter((reference) => reference !== "OLD/7").toReversed(),
    );
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: ["data_file"] });
  });

  it("a list of all orders ends when its reader disconnects, and the key's next list begins [EXT-76]", async () => {
    const { hub } = await hubWith(8_000, LONG_NAME);
    const { token } = await hub.createKey();
    const first = await slowReader(hub, token);
    // Refused if the first list were still in progress.
    const second = hub.external(token).get("/orders?status=all");
    first.destroy();
    const { status, body } = await second;
    expect([status, body.orders.length]).toEqual([200, 8_000]);
  });

  it("concurrent lists of all orders of one key are answered one after another, and none is refused at once [EXT-77]", async () => {
    // The clock stands still.
    const clock = manualClock();
    const { hub, references } = await hubWith(3, "Ana", { world: clock.world });
    const external = hub.external();
    const answers = await Promise.all(Array.from({ length: 100 }, () => external.get("/orders?status=all")));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(answers.every(({ body }) => body.orders.length === references.length)).toBe(true);
  });

  it("a key reads one list of all orders at a time, and a second one is told to retry [EXT-77]", async () => {
    const clock = manualClock();
    const { hub } = await hubWith(8_000, LONG_NAME, { world: clock.world });
    const { token } = await hub.createKey();
    await slowReader(hub, token);
    let refused: unknown;
    void hub
      .external(token)
      .get("/orders?status=all")
      .then(({ status, body }) => {
        refused = [status, body.errorCode];
      });
    await until("the second is refused", () => {
      clock.advance(1_000);
      return refused !== undefined;
    });
    expect(refused).toEqual([429, "RATE_LIMITED"]);
    // The active orders and another key's list do not wait for the slow reader.
    expect((await hub.external(token).get("/orders")).body).toEqual({ orders: [] });
    const other = await hub.createKey();
    expect((await hub.external(other.token).get("/orders?status=all")).body.orders).toHaveLength(8_000);
  });
});

describe("damaged files", () => {
  it("a list of all orders breaks off at damage, so that no client takes it as complete [EXT-78]", async () => {
    const { hub } = await hubWith(8_000, LONG_NAME);
    const { token } = await hub.createKey();
    await hub.restart(() => {
      const offset = readFileSync(hub.dbPath).indexOf('{"posReference":"OLD/4000"');
      overwrite(hub.dbPath, offset - (offset % PAGE_BYTES), Buffer.alloc(PAGE_BYTES));
    });
    const response = await slowReader(hub, token);
    let bytes = 0;
    response.on("data", (chunk: Buffer) => (bytes += chunk.length));
    const [error] = (await once(response, "error")) as [Error & { code: string }];
    expect([response.statusCode, error.code]).toEqual([200, "ECONNRESET"]);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect((await hub.send("GET", "/health")).body.reasons).toContain("data_file");
  });
});

describe("many orders, for a manager", () => {
  it("orders are searched while a list of all is being read [OP-87]", async () => {
    const { hub } = await hubWith(8_000, LONG_NAME);
    const { token } = await hub.createKey();
    const reader = await slowReader(hub, token);
    const { body } = await operatorOf(hub)("orders", { query: { status: "all", search: "old/4711" } });
    expect(body).toMatchObject({ orders: [{ posReference: "OLD/4711" }], total: 1, nextCursor: null });
    let text = "";
    reader.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await once(reader, "end");
    expect((JSON.parse(text) as { orders: Summary[] }).orders).toHaveLength(8_000);
  });

  it("pages of many orders lose and repeat none, with discarded ones in their place [OP-88]", async () => {
    const { hub, references } = await hubWith(450);
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    for (const posReference of ["A", "B"]) {
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
    }
    await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 1 });
    const all = async (query: Record<string, string>): Promise<string[]> => {
      const listed: string[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await call("orders", { query: { ...query, limit: 200, ...(cursor !== null && { cursor }) } });
        listed.push(...body.orders.map((order: Summary) => order.posReference));
        cursor = body.nextCursor;
      } while (cursor !== null);
      return listed;
    };
    const old = references.toReversed();
    expect(await all({ status: "all" })).toEqual(["A", "B", ...old]);
    expect(await all({ status: "paid" })).toEqual(old);
    expect(await all({ status: "all", search: "old/" })).toEqual(old);
    const totalOf = async (query: Record<string, string>) => (await call("orders", { query })).body.total as number;
    expect(await totalOf({ status: "all" })).toBe(452);
    expect(await totalOf({ status: "paid" })).toBe(450);
    expect(await totalOf({ status: "removed" })).toBe(1);
    expect(await totalOf({ status: "active" })).toBe(1);
  });

  it("a search counts matches up to 1,000 and says so [OP-89]", async () => {
    const { hub } = await hubWith(5_000);
    const call = operatorOf(hub);
    const received = async (search: string) => {
      const { total, totalIsCapped, orders } = (await call("orders", { query: { status: "all", search } })).body;
      return { total, totalIsCapped, first: orders[0]?.posReference };
    };
    expect(await received("ana")).toEqual({ total: 1_000, totalIsCapped: true, first: "OLD/4999" });
    expect(await received("old/12")).toEqual({ total: 111, totalIsCapped: undefined, first: "OLD/1299" });
    expect(await received("nobody")).toEqual({ total: 0, totalIsCapped: undefined, first: undefined });
    expect((await call("orders", { query: { status: "all" } })).body).toMatchObject({ total: 5_000 });
  });

  it("orders that need attention are found among many [OP-90]", async () => {
    const { hub } = await hubWith(3_000);
    const call = operatorOf(hub);
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      const forward = JSON.stringify({ state: "attention", at: "2025-01-01T12:00:00.000Z", error: "refused" });
      db.prepare("UPDATE orders SET forward = ? WHERE pos_reference IN ('OLD/5', 'OLD/2000')").run(forward);
      db.close();
    });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const payments = [{ methodId: 1, amount: 100 }];
    const payment = { type: "ORDER_PAY", posReference: "OLD/70", baseVersion: 1, payments };
    await expect(till.change(payment)).rejects.toMatchObject({ errorCode: "ORDER_LOCKED" });
    const { orders, total } = (await call("orders", { query: { status: "attention" } })).body;
    expect(orders.map((order: Summary) => order.posReference)).toEqual(["OLD/2000", "OLD/70", "OLD/5"]);
    expect(total).toBe(3);
    const first = (await call("orders", { query: { status: "attention", limit: 2 } })).body;
    const rest = (await call("orders", { query: { status: "attention", cursor: first.nextCursor } })).body;
    expect(rest.orders.map((order: Summary) => order.posReference)).toEqual(["OLD/5"]);
  });
});

describe("many orders, for a terminal", () => {
  type Sync = HubMessageOf<"SYNC">;

  async function syncSince(hub: TestHub, since: unknown): Promise<Sync> {
    const socket = await openSocket(hub.url);
    socket.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId: "back", since });
    return (await socket.first("SYNC")) as Sync;
  }

  it("a terminal that missed more than 2,000 orders gets a full SYNC without the closed ones [TERM-96]", async () => {
    const { hub } = await hubWith(2_001);
    const { sync } = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { hubId, epoch, seq } = sync;
    expect(sync).toMatchObject({ mode: "full", orders: [] });
    expect(await syncSince(hub, { hubId, epoch, seq: seq - 2_001 })).toMatchObject({ mode: "full", orders: [] });
    const delta = await syncSince(hub, { hubId, epoch, seq: seq - 2_000 });
    expect(delta.mode).toBe("delta");
    expect(delta.orders[0]?.posReference).toBe("OLD/1");
  });

  it("a terminal gets a delta when a full SYNC would have as many orders [TERM-96]", async () => {
    const hub = await startTestHub();
    await hub.restart(() => storeOrders(hub.dbPath, { count: 2_500, status: "open" }));
    const { sync } = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { hubId, epoch, seq } = sync;
    expect(await syncSince(hub, { hubId, epoch, seq: seq - 2_400 })).toMatchObject({ mode: "delta" });
  });

  it("a full SYNC has active and recent orders in the order of their last change [TERM-47, TERM-97]", async () => {
    const hub = await startTestHub();
    await hub.restart(() => {
      const hourAgo = Date.now() - 3_600_000;
      storeOrders(hub.dbPath, { count: 50, prefix: "OLD" });
      storeOrders(hub.dbPath, { count: 2, prefix: "OPEN", status: "open" });
      storeOrders(hub.dbPath, { count: 2, prefix: "RECENT", at: hourAgo });
      storeOrders(hub.dbPath, { count: 1, prefix: "LATE", status: "open", at: hourAgo });
    });
    const { sync } = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(sync.orders.map((order) => order.posReference)).toEqual([
      "OPEN/0",
      "OPEN/1",
      "RECENT/0",
      "RECENT/1",
      "LATE/0",
    ]);
    const { body } = await hub.external().get("/orders");
    expect(body.orders.map((order: Summary) => order.posReference)).toEqual(["LATE/0", "OPEN/1", "OPEN/0"]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ orders: 3 });
  });
});
