import { describe, expect, it } from "vitest";
import { dineInOrder, takeoutOrder } from "../support/builders.ts";
import { startTestHub, type TestHub, testTables } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const roomy = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };

const bootstrapFault = (fault: Record<string, unknown>) => ({ faults: [{ path: "/pos-api/v1/bootstrap", ...fault }] });

async function bootstrapReads(hub: TestHub): Promise<number> {
  const { requests } = await hub.backOffice.control("GET", "/requests");
  return requests.filter((each: { path: string }) => each.path === "/pos-api/v1/bootstrap").length;
}

describe("session", () => {
  it("the session is returned as it is at that moment [EXT-20]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    expect((await external.get("/session")).body).toEqual({
      active: true,
      sessionId: expect.any(Number),
      sessionName: expect.any(String),
    });
    await hub.backOffice.control("POST", "/session", { open: false });
    expect((await external.get("/session")).body).toEqual({ active: false });
    await hub.backOffice.control("POST", "/session", { open: true });
    expect((await external.get("/session")).body).toMatchObject({ active: true });
  });
});

describe("tables", () => {
  it("known tables are listed with their valid locks [EXT-21]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    expect((await external.get("/tables")).body).toEqual({ tables: [] });
    const { body: order } = await external.post("/orders", dineInOrder(31));
    const terminal = await hub.terminal({ login: "waiter", deviceId: "till-1" });
    terminal.send({ type: "TABLE_LOCK", tableId: 28, ttlMs: 1000 });
    const { lock } = await terminal.next("TABLE_LOCKED");
    expect((await external.get("/tables")).body.tables).toEqual([
      { tableId: 28, status: "available", posReference: null, updatedAt: expect.any(String), lock },
      { tableId: 31, status: "occupied", posReference: order.posReference, updatedAt: expect.any(String), lock: null },
    ]);
    const lockOf = async () => (await external.get("/tables")).body.tables[0].lock as unknown;
    await until("the lock reads as null", async () => (await lockOf()) === null);
  });
});

describe("menu", () => {
  it("the menu lists products with their availability, and nothing else of the back-office [EXT-28]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const { status, body } = await external.get("/menu");
    expect(status).toBe(200);
    const [product] = body.products as Record<string, unknown>[];
    expect(Object.keys(product ?? {}).toSorted()).toEqual(["categoryId", "id", "name", "price", "state", "taxIds"]);
    expect(body.categories.map(({ id }: { id: string }) => id)).toContain(product?.["categoryId"]);
    expect(body.taxes.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(product?.["taxIds"] as string[]),
    );
    expect(Date.parse(body.asOf as string)).not.toBeNaN();

    const terminal = await hub.terminal({ login: "waiter" });
    const productId = product?.["id"] as string;
    const set = (state: string, left?: number) =>
      terminal.request({ type: "ITEM_STATE_SET", mutationId: crypto.randomUUID(), productId, state, left });
    await set("limited", 3);
    const stateOf = async () =>
      ((await external.get("/menu")).body.products as { id: string }[]).find(({ id }) => id === productId);
    expect(await stateOf()).toMatchObject({ state: "limited", left: 3 });
    await set("out");
    expect(await stateOf()).toMatchObject({ state: "out" });
    expect(await stateOf()).not.toHaveProperty("left");
  });

  it("the menu is unavailable until the back-office was read once [EXT-28]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ action: "status", status: 502, body: {} }));
    const fresh = await startTestHub({ env: { ERP_URL: hub.backOffice.url } });
    expect(await fresh.external().get("/menu")).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
  });
});

describe("floor plan", () => {
  it("the floor plan merges live status and locks into the back-office's plan [EXT-22]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    await external.post("/orders", dineInOrder(31));
    const { body } = await external.get("/floor-plan");
    expect(body).toMatchObject({ stale: false, fetchedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(Object.keys(body.floors[0]).toSorted()).toEqual(["id", "name", "tables"]);
    const tables = body.floors.flatMap((floor: { tables: unknown[] }) => floor.tables);
    expect(tables).toHaveLength(18 + testTables);
    expect(tables).toContainEqual({
      id: 31,
      name: expect.any(String),
      seats: expect.any(Number),
      floorId: body.floors[0].id,
      status: "occupied",
      lock: null,
    });
  });

  it("waiting floor plan requests share one read, which is repeated when the cache has expired [EXT-23]", async () => {
    const hub = await startTestHub({ env: { ...roomy, HUB_FLOOR_PLAN_CACHE_MS: "1000" } });
    const external = hub.external();
    const { fetchedAt } = (await external.get("/floor-plan")).body;
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ latencyMs: 200 }));
    await hub.backOffice.control("DELETE", "/requests");
    await until("the cache is old", async () => (await external.get("/floor-plan")).body.fetchedAt !== fetchedAt);
    const reads = await bootstrapReads(hub);
    expect(reads).toBe(1);
    const plans = await Promise.all(Array.from({ length: 20 }, () => external.get("/floor-plan")));
    expect(new Set(plans.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await bootstrapReads(hub)).toBe(1);
  });

  it("the last good floor plan is served as stale until a fresh one is read [EXT-24]", async () => {
    const hub = await startTestHub({ env: { ...roomy, HUB_FLOOR_PLAN_CACHE_MS: "200" } });
    const external = hub.external();
    const good = (await external.get("/floor-plan")).body;
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ action: "drop-before" }));
    const isStale = async (): Promise<boolean> => (await external.get("/floor-plan")).body.stale;
    await until("stale", isStale);
    const stale = (await external.get("/floor-plan")).body;
    expect(stale.floors).toEqual(good.floors);
    await hub.backOffice.control("DELETE", "/faults");
    await until("fresh", async () => !(await isStale()));
  });

  it("an old floor plan is served without waiting for a silent back-office [EXT-24]", async () => {
    const hub = await startTestHub({ env: { ...roomy, HUB_FLOOR_PLAN_CACHE_MS: "200" } });
    const external = hub.external();
    const good = (await external.get("/floor-plan")).body;
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ action: "hang-before" }));
    const stale = await until("stale", async () => {
      const { body } = await external.get("/floor-plan");
      return body.stale === true && body;
    });
    expect(stale).toEqual({ ...good, stale: true });
    await hub.backOffice.control("DELETE", "/faults");
  });

  it("the floor plan has the same time of reading after a restart [EXT-27]", async () => {
    const hub = await startTestHub({ env: { ...roomy, HUB_FLOOR_PLAN_CACHE_MS: "200" } });
    const external = hub.external();
    const { fetchedAt } = (await external.get("/floor-plan")).body;
    const shown = await until("the same plan to be read again", async () => {
      const { body } = await external.get("/floor-plan");
      return body.fetchedAt !== fetchedAt && body;
    });
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ action: "drop-before" }));
    await hub.restart();
    expect((await external.get("/floor-plan")).body).toEqual({ ...shown, stale: true });
    await hub.backOffice.control("DELETE", "/faults");
  });

  it("the floor plan is answered with 503 before any was read [EXT-24]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    await hub.backOffice.control("POST", "/faults", bootstrapFault({ action: "status", status: 502, body: {} }));
    const fresh = await startTestHub({ env: { ERP_URL: hub.backOffice.url } });
    expect(await fresh.external().get("/floor-plan")).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
  });

  it("the floor plan is answered with 503 NOT_CONFIGURED without credentials [EXT-24]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    expect(await hub.external().get("/floor-plan")).toMatchObject({
      status: 503,
      body: { errorCode: "NOT_CONFIGURED" },
    });
  });
});

describe("orders", () => {
  it("active orders are listed by newest activity, and all on request [EXT-25]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const refs = ["a", "b", "c"];
    const references = [];
    for (const externalRef of refs)
      references.push((await external.post("/orders", takeoutOrder({ externalRef }))).body.posReference);
    const [a, b, c] = references as [string, string, string];
    await external.patch(`/orders/${encodeURIComponent(a)}`, { baseVersion: 1, notes: "no onions" });
    const cashier = await hub.terminal({ login: "cashier" });
    await cashier.change({
      type: "ORDER_PAY",
      posReference: b,
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 118 }],
    });
    const listed = async (query = "") => {
      const { body } = await external.get(`/orders${query}`);
      return body.orders.map((order: { posReference: string }) => order.posReference);
    };
    expect(await listed()).toEqual([a, c]);
    expect(await listed("?status=active")).toEqual([a, c]);
    expect((await listed("?status=all")).toSorted()).toEqual([a, b, c].toSorted());
    expect((await external.get("/orders")).body.orders[0]).toEqual({
      posReference: a,
      version: 2,
      tableId: null,
      status: "open",
      orderType: "takeout",
      ticketNumber: "T-001",
      customerName: null,
      itemCount: 1,
      totals: { subtotal: 100, tax: 18, total: 118 },
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      origin: expect.stringMatching(/^ext:/),
    });
    for (const query of ["?status=", "?status=paid", "?status=ALL", "?status=all&status=all"]) {
      expect((await external.get(`/orders${query}`)).body.errorCode, query).toBe("VALIDATION_ERROR");
    }
  });

  it("a stored order is returned with its documented fields and no internal ones [EXT-26]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const { body } = await external.post("/orders", takeoutOrder());
    const { status, body: stored } = await external.get(`/orders/${encodeURIComponent(body.posReference)}`);
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(stored).toEqual({
      posReference: body.posReference,
      version: 1,
      tableId: null,
      terminalId: `ext:${body.posReference.split("/")[1]}`,
      createdAt: time,
      updatedAt: time,
      snapshot: body.snapshot,
    });
    expect(await external.get("/orders/POS%2F2026%2F404")).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
  });
});
