import { describe, expect, it, onTestFinished } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const names = ["Ana Pérez", "no onions", "till-9", "1180.55"];

/** Creates a check with all data that only a manager may see. */
async function withPersonalData(hub: TestHub, tableId: number): Promise<string> {
  const terminal = await hub.terminal({ login: "cashier", deviceId: "till-9" });
  await terminal.change({
    type: "ORDER_UPSERT",
    posReference: "SECRET-1",
    baseVersion: 0,
    snapshot: {
      tableId,
      customerName: "Ana Pérez",
      notes: "no onions",
      lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: 1180.55, total: 1180.55 }],
    },
  });
  return "SECRET-1";
}

async function firstTable(hub: TestHub): Promise<number> {
  const call = operatorOf(hub);
  const [floor] = await until("the floor plan", async () => {
    const { floors } = (await call("floorPlan")).body;
    return floors.length > 0 ? floors : null;
  });
  return floor.tables[0].tableId;
}

describe("public and manager data", () => {
  it("the operator API shows without a token no person, note, item, amount, reference or writer [OP-7]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const tableId = await firstTable(hub);
    const reference = await withPersonalData(hub, tableId);
    for (const name of ["overview", "feed", "floorPlan", "pairing"] as const) {
      const { status, body } = await call(name, { token: null });
      const text = JSON.stringify(body);
      expect(status).toBe(200);
      for (const secret of [...names, reference]) expect(text).not.toContain(secret);
    }
    expect((await call("overview", { token: null })).body).toMatchObject({
      terminals: { connected: 1 },
      orders: { active: 1, open: 1 },
      tables: { occupied: 1 },
    });
  });

  it("the overview remembers over a restart that the back-office was reached once, and its session [OP-182, HUB-181]", async () => {
    const line = await startFaultyLine();
    onTestFinished(() => line.stop());
    const hub = await startTestHub({ line });
    const call = operatorOf(hub);
    const backOffice = async () => (await call("overview", { token: null })).body.backOffice;
    await until("the back-office", async () => ((await backOffice()).state === "reachable" ? true : null));
    await firstTable(hub);
    await line.down();
    await hub.restart();
    await until("the outage", async () => ((await backOffice()).state === "unreachable" ? true : null));
    expect(await backOffice()).toMatchObject({ lastSyncAt: expect.any(String), everReached: true });

    const fresh = await startTestHub({ env: { ERP_URL: "http://127.0.0.1:9" } });
    const first = async () => (await operatorOf(fresh)("overview", { token: null })).body.backOffice;
    await until("the first attempt", async () => ((await first()).state === "unreachable" ? true : null));
    expect(await first()).toMatchObject({ everReached: false, address: "http://127.0.0.1:9" });
    const isOpen = async (of: TestHub) => (await operatorOf(of)("overview", { token: null })).body.sessionOpen;
    expect([await isOpen(fresh), await isOpen(hub)]).toEqual([null, true]);
    const kinds = async (of: TestHub) =>
      (await operatorOf(of)("feed", { token: null })).body.entries.map((entry: { kind: string }) => entry.kind);
    expect(await kinds(fresh)).toContain("back_office_not_reached");
    expect(await kinds(fresh)).not.toContain("back_office_down");
    expect(await kinds(hub)).toContain("back_office_down");
  });

  it("a manager sees order totals, the checks on tables, the feed's details and the catalogue [OP-7, OP-140]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const tableId = await firstTable(hub);
    const posReference = await withPersonalData(hub, tableId);
    expect((await call("overview")).body.detail).toMatchObject({ openTotal: 1180.55 });
    const { floors } = (await call("floorPlan")).body;
    const tables = floors.flatMap((floor: { tables: unknown[] }) => floor.tables);
    expect(tables).toContainEqual(
      expect.objectContaining({
        tableId,
        status: "occupied",
        checks: 1,
        checkStatus: "open",
        detail: { lock: null, checks: [expect.objectContaining({ posReference, total: 1180.55, checkNumber: 1 })] },
      }),
    );
    expect((await call("feed")).body.entries).toContainEqual(
      expect.objectContaining({ kind: "order_opened", tableId, detail: expect.objectContaining({ posReference }) }),
    );
    expect((await call("catalogue")).body).toMatchObject({
      currency: "DOP",
      categories: { 4: "Bebidas" },
    });
    expect((await call("tables")).body.tables).toMatchObject([{ tableId, status: "occupied" }]);
  });

  it("checks on tables that are not in the floor plan are listed [OP-35]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await until("the floor plan", async () => (await call("floorPlan")).body.floors.length > 0);
    const terminal = await hub.terminal();
    const order = { type: "ORDER_UPSERT", posReference: "A", baseVersion: 0 };
    await terminal.change({ ...order, snapshot: { tableId: 987, lines: [] } });
    expect((await call("floorPlan")).body.unknownTables).toEqual([987]);
  });
});

describe("stream", () => {
  it("the stream names the terminals again when a terminal's grace period ends [OP-92]", async () => {
    const hub = await startTestHub({ env: { HUB_GRACE_MS: "2000" } });
    const call = operatorOf(hub);
    const state = async () => (await call("terminals")).body.terminals[0].state;
    const terminal = await hub.terminal({ deviceId: "tablet-1" });
    const stream = await openStream(hub);
    terminal.close();
    await stream.changed("terminals");
    expect(await state()).toBe("grace");
    await stream.changed("terminals");
    expect(await state()).toBe("away");
  });

  it("the stream starts with hello, then names what to read again after a change, without its content [OP-12, OP-560]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const tableId = await firstTable(hub);
    const stream = await openStream(hub);
    expect(await stream.next("hello")).toMatchObject({ audience: "manager" });
    expect(stream.received[0]?.type).toBe("hello");

    const posReference = await withPersonalData(hub, tableId);
    const { topics } = await stream.next("changed", ({ orders }) => orders.includes(posReference));
    expect(topics).toEqual(expect.arrayContaining(["orders", "floor_plan", "overview", "feed"]));
    expect((await call("orders", { query: { status: "active" } })).body.orders).toMatchObject([{ posReference }]);
    expect((await call("overview")).body.detail.openTotal).toBe(1180.55);
    const text = JSON.stringify(stream.received);
    for (const name of names) expect(text).not.toContain(name);
  });

  it("the stream names terminals, kitchen tickets, discarded checks and integrations' orders [OP-12]", async () => {
    const hub = await startTestHub();
    const stream = await openStream(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "till-1" });
    await stream.changed("terminals");
    const { body } = await hub.external().post("/orders", takeoutOrder());
    await stream.next("changed", ({ orders }) => orders.includes(body.posReference));
    await terminal.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 0,
      snapshot: { orderType: "takeout", lines: [{ id: "a", quantity: 2 }] },
    });
    await stream.changed("orders");
    await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    await stream.changed("kitchen");
    await terminal.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 2 });
    expect((await stream.changed("orders")).orders).toContain("A");
    terminal.close();
    await stream.changed("terminals");
  });

  it("the stream names the tills when money comes in without an open shift [OP-12]", async () => {
    const hub = await startTestHub();
    const stream = await openStream(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till-1" });
    const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: 100, total: 100 }];
    await terminal.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 0,
      snapshot: { orderType: "takeout", lines },
    });
    await terminal.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await stream.changed("tills");
  });

  it("the stream without a token names only what is public [OP-14]", async () => {
    const hub = await startTestHub();
    const tableId = await firstTable(hub);
    const stream = await openStream(hub, { token: null });
    expect(await stream.next("hello")).toMatchObject({ audience: "public" });
    const reference = await withPersonalData(hub, tableId);
    const { topics, orders } = await stream.changed("floor_plan");
    expect([topics.toSorted(), orders]).toEqual([["feed", "floor_plan", "overview"], []]);
    const text = JSON.stringify(stream.received);
    for (const secret of [...names, reference]) expect(text).not.toContain(secret);
  });

  it("the stream combines the changes of a burst into a few messages that name each order [OP-16]", async () => {
    const hub = await startTestHub();
    const stream = await openStream(hub);
    const external = hub.external();
    const orders = await Promise.all(Array.from({ length: 60 }, () => external.post("/orders", takeoutOrder())));
    const named = new Set<string>();
    const isWhole = (): boolean => orders.every(({ body }) => named.has(body.posReference));
    for (let times = 0; !isWhole(); times += 1) {
      expect(times).toBeLessThan(30);
      for (const name of (await stream.changed("orders")).orders) named.add(name);
    }
  });

  it("the stream notifies managers of a new log line, which they can read without its secrets [OP-17]", async () => {
    const { createLog } = await import("../../platform/log.ts");
    const { realWorld } = await import("../../platform/world.ts");
    const log = createLog("info", { write: () => {} });
    const hub = await startTestHub({ world: realWorld(log) });
    const stream = await openStream(hub);
    await stream.next("hello");
    log.warn({ table: 4, secret: "hidden" }, "something odd");
    await stream.changed("logs");
    const { lines } = (await operatorOf(hub)("logs", { query: { level: "warn" } })).body;
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "something odd",
        facts: JSON.stringify({ table: 4, secret: "[redacted]" }),
      }),
    );
  });

  it("repeated reads return the state after the last change, separately for managers and the public [OP-561]", async () => {
    const { manualClock } = await import("../support/manual-clock.ts");
    const hub = await startTestHub({ world: manualClock().world });
    const call = operatorOf(hub);
    const token = await hub.signIn("manager");
    const active = async (as: string | null) => (await call("overview", { token: as })).body.orders.active;
    for (let count = 0; count < 3; count += 1) {
      expect([await active(token), await active(null)]).toEqual([count, count]);
      expect((await hub.external().post("/orders", takeoutOrder())).status).toBe(201);
    }
    expect((await call("overview", { token })).body).toHaveProperty("detail");
    expect((await call("overview", { token: null })).body).not.toHaveProperty("detail");
  });

  it("the stream refuses a dead token, and ends when the hub stops [OP-36]", async () => {
    const hub = await startTestHub();
    expect((await openStream(hub, { token: "dead" })).status).toBe(401);
    const stream = await openStream(hub);
    await stream.next("hello");
    await hub.stop();
    await stream.ended;
  });

  it("the stream pings every 10 s, and sends signed_out when its token has died [OP-13] [OP-15]", async () => {
    const { manualClock } = await import("../support/manual-clock.ts");
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const call = operatorOf(hub);
    const { token } = (await call("signIn", { body: { login: "manager", password: "manager" }, token: null })).body;
    const stream = await openStream(hub, { token });
    await stream.next("hello");
    clock.advance(10_000);
    await stream.next("ping");
    await hub.send("POST", "/operator/v1/sign-out", { headers: { Authorization: `Bearer ${token}` } });
    clock.advance(20_000);
    await stream.next("signed_out");
    await stream.ended;
  });
});

describe("sample orders", () => {
  it("the sample order has a dish of the menu and a free table, and is accepted unchanged [OP-185]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "1000", HUB_EXTERNAL_KEY_RATE_MAX: "1000" } });
    const call = operatorOf(hub);
    const external = hub.external();
    const plan = (await external.get("/floor-plan")).body.floors.flatMap(({ tables }: { tables: object[] }) => tables);
    const tableIds = new Set<number>();
    for (let count = 0; count < plan.length; count += 1) {
      const { order, dishName, tableName } = (await call("sampleOrder")).body.sample;
      expect(dishName).toBe("Tostones con salsa de ajo");
      expect(plan).toContainEqual(expect.objectContaining({ id: order.tableId, name: tableName }));
      // 225.00 plus 18 % tax and 10 % legal tip.
      expect(order.totals).toEqual({ subtotal: 225, tax: 63, total: 288 });
      expect((await external.post("/orders", order)).status).toBe(201);
      expect((await external.post("/orders", order)).status).toBe(200);
      tableIds.add(order.tableId);
    }
    expect(tableIds.size).toBe(plan.length);
    const takeout = (await call("sampleOrder")).body.sample;
    expect(takeout).toMatchObject({ tableName: null, order: { orderType: "takeout", totals: { total: 265.5 } } });
    expect((await external.post("/orders", takeout.order)).status).toBe(201);
  });

  it("the sample order is null while no menu was ever read [OP-185]", async () => {
    const hub = await startTestHub({ env: { ERP_PASSWORD: "wrong" } });
    expect((await operatorOf(hub)("sampleOrder")).body).toEqual({ sample: null });
  });
});
