import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dineInOrder, line, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub, type Caller, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const roomy = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };

async function countOrders(external: Caller): Promise<number> {
  return (await external.get("/orders?status=all")).body.orders.length;
}

/** Opens or closes the POS session and waits until the hub knows. Needs a hub with high request limits. */
async function setSession(hub: TestHub, open: boolean): Promise<void> {
  await hub.backOffice.control("POST", "/session", { open });
  const external = hub.external();
  await until("the hub knows", async () => (await external.get("/session")).body.active === open);
}

describe("creating an order", () => {
  it("a created order is answered with 201, version 1 and the content that was sent [EXT-30][EXT-39][EXT-42]", async () => {
    const hub = await startTestHub({ env: roomy });
    const { keyId, token } = await hub.createKey(undefined, "Webshop");
    const { status, body } = await hub.external(token).post("/orders", {
      externalRef: "web-1001",
      tableId: 31,
      lines: [line({ note: "hot" }), line({ id: "mine", taxIds: undefined, taxAmount: undefined })],
      totals: { subtotal: 1, tax: 2, total: 236 },
      pluginData: { reservations: { key: "r-1" }, empty: {} },
    });
    expect(status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const posReference = `EXT/${keyId}/web-1001`;
    expect(body).toEqual({
      posReference,
      version: 1,
      snapshot: {
        posReference,
        status: "open",
        orderType: "dine_in",
        tableId: 31,
        customerName: null,
        notes: null,
        guestCount: 1,
        staffName: "Webshop",
        checkNumber: 1,
        createdAt: time,
        updatedAt: time,
        lines: [
          { ...line({ note: "hot" }), id: expect.stringMatching(/^ext-0-[0-9a-f]{4}$/) },
          { ...line(), id: "mine", taxIds: [], taxAmount: 0 },
        ],
        totals: { subtotal: 1, tax: 2, total: 236 },
        pluginData: { reservations: { key: "r-1" } },
      },
    });
    const minted = await hub.external(token).post("/orders", takeoutOrder());
    expect(minted.body.posReference).toMatch(new RegExp(`^EXT/${keyId}/\\d{13}-[0-9a-f]+$`));
    expect((await hub.external().get("/tables")).body.tables).toMatchObject([
      { tableId: 31, status: "occupied", posReference },
    ]);
  });

  it("a repeated externalRef returns the first order, whatever has happened since [EXT-31]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const requested = dineInOrder(31, { externalRef: "once" });
    const first = await external.post("/orders", requested);
    await external.patch(`/orders/${encodeURIComponent(first.body.posReference)}`, { baseVersion: 1, notes: "x" });
    await setSession(hub, false);
    const again = await external.post("/orders", {
      ...requested,
      tableId: 999_999,
      totals: { subtotal: 0, tax: 0, total: 0 },
    });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      posReference: first.body.posReference,
      version: 2,
      terminalId: expect.any(String),
    });
    expect(again.body).toEqual((await external.get(`/orders/${encodeURIComponent(first.body.posReference)}`)).body);
    expect(await countOrders(external)).toBe(1);
  });

  it("simultaneous identical requests create one order [EXT-31]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const requested = dineInOrder(31, { externalRef: "race" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => external.post("/orders", requested)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(19).fill(200),
      201,
    ]);
    expect(new Set(answers.map(({ body }) => body.posReference)).size).toBe(1);
    expect(await countOrders(external)).toBe(1);
  });

  it("two keys may use the same externalRef [EXT-32]", async () => {
    const hub = await startTestHub({ env: roomy });
    const [first, second] = [await hub.createKey(), await hub.createKey()];
    const requested = takeoutOrder({ externalRef: "same" });
    expect((await hub.external(first.token).post("/orders", requested)).status).toBe(201);
    expect((await hub.external(second.token).post("/orders", requested)).status).toBe(201);
  });

  it("a repeated externalRef is refused for a discarded check and replayed for a paid one [EXT-33]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const cashier = await hub.terminal({ login: "cashier" });
    const { posReference } = (await external.post("/orders", takeoutOrder({ externalRef: "gone" }))).body;
    await cashier.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1 });
    expect(await external.post("/orders", takeoutOrder({ externalRef: "gone" }))).toMatchObject({
      status: 409,
      body: { errorCode: "ORDER_LOCKED" },
    });
    const paid = (await external.post("/orders", takeoutOrder({ externalRef: "paid" }))).body.posReference;
    await cashier.change({
      type: "ORDER_PAY",
      posReference: paid,
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 118 }],
    });
    const replay = await external.post("/orders", takeoutOrder({ externalRef: "paid" }));
    expect(replay.status).toBe(200);
    expect(["paid", "closed"]).toContain(replay.body.snapshot.status);
  });

  it("an order needs an open session, whose opening and closing is noticed at once [EXT-34]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const createOrder = async (): Promise<unknown> =>
      (await external.post("/orders", takeoutOrder())).body.errorCode ?? "taken";
    expect(await createOrder()).toBe("taken");
    await hub.backOffice.control("POST", "/session", { open: false });
    expect(await createOrder()).toBe("NO_ACTIVE_SESSION");
    await hub.backOffice.control("POST", "/session", { open: true });
    expect(await createOrder()).toBe("taken");
    expect(await countOrders(external)).toBe(2);
  });

  it("the first order after the back-office is back reads the session again [EXT-34]", async () => {
    const hub = await startTestHub({ env: { ...roomy, HUB_STATE_POLL_MS: "86400000" } });
    const external = hub.external();
    const createOrder = async (): Promise<unknown> =>
      (await external.post("/orders", takeoutOrder())).body.errorCode ?? "taken";
    expect(await createOrder()).toBe("taken");
    await hub.backOffice.control("POST", "/faults", { faults: [{ path: "*", action: "drop-before" }] });
    expect(await createOrder()).toBe("taken");
    expect((await hub.send("GET", "/health")).body.reasons).toContain("back_office_unreachable");
    expect(await createOrder()).toBe("taken");
    await hub.backOffice.control("DELETE", "/faults");
    await hub.backOffice.control("POST", "/session", { open: false });
    expect(await createOrder()).toBe("NO_ACTIVE_SESSION");
    expect((await external.get("/session")).body).toEqual({ active: false });
  });

  it("a flood of orders reads the session at a limited rate, and a closed session is soon noticed [EXT-34]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ env: roomy, world: clock.world });
    const external = hub.external();
    const createOrder = async (): Promise<unknown> =>
      (await external.post("/orders", takeoutOrder())).body.errorCode ?? "taken";
    expect(await createOrder()).toBe("taken");
    await hub.backOffice.control("DELETE", "/requests");
    // The clock stands still, so the read budget does not refill.
    for (let each = 0; each < 120; each += 1) expect(await createOrder()).toBe("taken");
    const { requests } = await hub.backOffice.control("GET", "/requests");
    const reads = requests.filter(({ path }: { path: string }) => path === "/pos-api/v1/bootstrap");
    expect(reads.length).toBeGreaterThan(90);
    expect(reads.length).toBeLessThanOrEqual(100);

    await hub.backOffice.control("POST", "/session", { open: false });
    expect(await createOrder()).toBe("taken");
    clock.advance(100);
    expect(await createOrder()).toBe("NO_ACTIVE_SESSION");
  });

  it("no order is accepted before a session has been read [EXT-34]", async () => {
    const hub = await startTestHub({ env: { ERP_PASSWORD: "" } });
    expect((await hub.external().get("/session")).body).toEqual({ active: false });
    expect((await hub.external().post("/orders", takeoutOrder())).body.errorCode).toBe("NO_ACTIVE_SESSION");
  });

  it("an unknown table is refused, but accepted while the back-office is unreachable [EXT-35]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const external = hub.external();
    expect(await external.post("/orders", dineInOrder(999_999))).toMatchObject({
      status: 400,
      body: { errorCode: "UNKNOWN_TABLE" },
    });
    expect(await countOrders(external)).toBe(0);
    expect((await external.get("/tables")).body.tables).toEqual([]);
    await hub.backOffice.kill();
    expect((await external.post("/orders", dineInOrder(999_999))).status).toBe(201);
    expect((await external.post("/orders", dineInOrder(31))).status).toBe(201);
  });

  it("an order is accepted when the back-office accepts the connection and never answers [EXT-35]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    await external.get("/floor-plan");
    const faults = [{ path: "/pos-api/v1/bootstrap", action: "hang-before" }];
    await hub.backOffice.control("POST", "/faults", { faults });
    expect((await external.post("/orders", dineInOrder(999_999))).status).toBe(201);
  });

  it("a second active order on a table is refused with the reference of the first [EXT-36]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const first = (await external.post("/orders", dineInOrder(31))).body.posReference;
    for (const requested of [dineInOrder(31), takeoutOrder({ tableId: 31 })]) {
      const refused = await external.post("/orders", requested);
      expect(refused.status).toBe(409);
      expect(refused.body).toEqual({
        error: expect.any(String),
        errorCode: "TABLE_OCCUPIED",
        existing: { posReference: first },
      });
    }
    const terminal = await hub.terminal();
    const snapshot = terminalSnapshot({ orderType: "dine_in", tableId: 28 });
    await terminal.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    expect((await external.post("/orders", dineInOrder(28))).body.existing).toEqual({ posReference: "POS/1" });
  });

  it("one of many simultaneous orders gets the table [EXT-36]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const answers = await Promise.all(Array.from({ length: 20 }, () => external.post("/orders", dineInOrder(31))));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it("totals may differ by 0.02, and a larger difference is refused with both amounts [EXT-37]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const answer = (total: number, ...lines: number[]) =>
      external.post(
        "/orders",
        takeoutOrder({ lines: lines.map((each) => line({ total: each })), totals: { subtotal: 0, tax: 0, total } }),
      );
    for (const [total, ...lines] of [
      [1.02, 1],
      [0.98, 1],
      [0.3, 0.1, 0.2],
      [100.02, 33.34, 33.33, 33.33],
      [0.02, 0],
      [1e9, 1e9],
    ] as [number, ...number[]][]) {
      expect((await answer(total, ...lines)).status, `${total} of ${lines.join("+")}`).toBe(201);
    }
    for (const [total, ...lines] of [
      [1.03, 1],
      [1.0201, 1],
      [0.97, 1],
      [0, 118],
      [-1, 1],
    ] as [number, ...number[]][]) {
      const refused = await answer(total, ...lines);
      expect(refused, `${total} of ${lines.join("+")}`).toMatchObject({
        status: 400,
        body: { errorCode: "TOTALS_MISMATCH" },
      });
      expect(refused.body.error).toContain(String(total));
      expect(refused.body.error).toContain(String(lines[0]));
    }
  });

  it("amounts are compared in cents without binary drift [EXT-37]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const cents = fc.integer({ min: 0, max: 1_000_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cents, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -4, max: 4 }),
        async (amounts, off) => {
          const total = (amounts.reduce((sum, amount) => sum + amount, 0) + off) / 100;
          const lines = amounts.map((amount) => line({ total: amount / 100 }));
          const { status } = await external.post(
            "/orders",
            takeoutOrder({ lines, totals: { subtotal: 0, tax: 0, total } }),
          );
          expect(status).toBe(Math.abs(off) <= 2 ? 201 : 400);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("rules are applied in the documented order [EXT-38]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    await external.post("/orders", dineInOrder(31));
    const wrongTotals = { totals: { subtotal: 0, tax: 0, total: 1 } };
    const codeOf = async (tableId: number) =>
      (await external.post("/orders", dineInOrder(tableId, wrongTotals))).body.errorCode;
    expect(await codeOf(31)).toBe("TABLE_OCCUPIED");
    expect(await codeOf(999_999)).toBe("UNKNOWN_TABLE");
    expect(await codeOf(28)).toBe("TOTALS_MISMATCH");
    await setSession(hub, false);
    expect(await codeOf(999_999)).toBe("NO_ACTIVE_SESSION");
  });

  it("takeout and delivery orders are numbered by type and local day [EXT-40]", async () => {
    const clock = manualClock(new Date(2026, 10, 20, 23, 30).getTime());
    const hub = await startTestHub({ world: clock.world });
    const external = hub.external();
    const next = async (orderType: string) =>
      (await external.post("/orders", takeoutOrder({ orderType }))).body.snapshot.ticketNumber as string;
    expect([await next("takeout"), await next("takeout"), await next("delivery")]).toEqual(["T-001", "T-002", "D-001"]);
    clock.jumpWall(3_600_000);
    expect([await next("takeout"), await next("delivery")]).toEqual(["T-001", "D-001"]);
    clock.jumpWall(-3_600_000);
    expect(await next("takeout")).toBe("T-003");
    const { body } = await external.post("/orders", dineInOrder(31));
    expect(body.snapshot).not.toHaveProperty("ticketNumber");
    expect((await external.get("/tables")).body.tables).toHaveLength(1);
    expect((await external.post("/orders", takeoutOrder({ ticketNumber: "T-999" }))).body.error).toContain(
      "ticketNumber",
    );
  });

  it("ticket numbers follow the restaurant's day, whatever the PC's time zone [EXT-40]", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 20, 3, 30));
    const hub = await startTestHub({ world: clock.world, env: { HUB_TIME_ZONE: "America/Santo_Domingo" } });
    const next = async () =>
      (await hub.external().post("/orders", takeoutOrder())).body.snapshot.ticketNumber as string;
    expect(await next()).toBe("T-001");
    clock.jumpWall(3_600_000);
    expect(await next()).toBe("T-001");
    clock.jumpWall(19 * 3_600_000);
    expect(await next()).toBe("T-002");
    // Crosses midnight UTC, which is in the evening here.
    clock.jumpWall(2 * 3_600_000);
    expect(await next()).toBe("T-003");
  });

  it("the check number is one above the highest active one on the table [EXT-41]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const first = await external.post("/orders", dineInOrder(31));
    expect(first.body.snapshot.checkNumber).toBe(1);
    const cashier = await hub.terminal({ login: "cashier" });
    const snapshot = terminalSnapshot({ orderType: "dine_in", tableId: 31 });
    await cashier.change({
      type: "ORDER_UPSERT",
      posReference: "POS/2",
      baseVersion: 0,
      snapshot,
      additionalCheck: true,
    });
    expect((await external.get("/orders/POS%2F2")).body.snapshot.checkNumber).toBe(2);
    for (const posReference of [first.body.posReference, "POS/2"]) {
      await cashier.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1 });
    }
    expect((await external.post("/orders", takeoutOrder({ tableId: 31 }))).body.snapshot).toMatchObject({
      checkNumber: 1,
      ticketNumber: "T-001",
    });
    expect((await external.post("/orders", takeoutOrder())).body.snapshot.checkNumber).toBeNull();
  });

  it("a created order appears on terminals at once, and their orders in the API [EXT-44]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    const terminal = await hub.terminal({ deviceId: "till-1" });
    const { body } = await external.post("/orders", takeoutOrder());
    const shown = await terminal.next("ORDER_CHANGED", (message) => message.posReference === body.posReference);
    expect(shown).toMatchObject({ version: 1, origin: `ext:${body.posReference.split("/")[1]}` });
    await terminal.change({
      type: "ORDER_UPSERT",
      posReference: "POS/1",
      baseVersion: 0,
      snapshot: terminalSnapshot(),
    });
    expect((await external.get("/orders/POS%2F1")).body).toMatchObject({ version: 1, terminalId: "till-1" });
  });
});

describe("order fields ", () => {
  const long = (length: number): string => "x".repeat(length);
  const accepted: Record<string, Record<string, unknown>> = {
    "externalRef of 1": { externalRef: "a" },
    "externalRef of 64": { externalRef: `${long(58)}AZaz09` },
    "externalRef with _ and -": { externalRef: "_-" },
    "customerName of 120": { customerName: long(120) },
    "customerName empty": { customerName: "" },
    "staffName of 120": { staffName: long(120) },
    "notes of 1000": { notes: long(1000) },
    "guestCount 1": { guestCount: 1 },
    "guestCount 100,000": { guestCount: 100_000 },
    "line id of 64": { lines: [line({ id: long(64) })] },
    "a fraction": { lines: [line({ quantity: 0.001 })] },
    "nothing to pay": {
      lines: [line({ unitPrice: 0, total: 0, taxAmount: 0 })],
      totals: { subtotal: 0, tax: 0, total: 0 },
    },
    "note of 500": { lines: [line({ note: long(500), specialRequest: long(500) })] },
    "negative tax": { totals: { subtotal: 200, tax: -82, total: 118 } },
  };
  const refused: Record<string, [string, Record<string, unknown>]> = {
    "externalRef empty": ["externalRef", { externalRef: "" }],
    "externalRef of 65": ["externalRef", { externalRef: long(65) }],
    "externalRef with a slash": ["externalRef", { externalRef: "a/b" }],
    "externalRef with a newline": ["externalRef", { externalRef: "a\n" }],
    "externalRef with an umlaut": ["externalRef", { externalRef: "ä" }],
    "orderType unknown": ["orderType", { orderType: "eat_in" }],
    "dine_in without a table": ["tableId", { orderType: "dine_in" }],
    "tableId 0": ["tableId", { tableId: 0 }],
    "tableId as text": ["tableId", { tableId: "31" }],
    "tableId 1.5": ["tableId", { tableId: 1.5 }],
    "tableId null": ["tableId", { tableId: null }],
    "customerName of 121": ["customerName", { customerName: long(121) }],
    "customerName null": ["customerName", { customerName: null }],
    "staffName of 121": ["staffName", { staffName: long(121) }],
    "notes of 1001": ["notes", { notes: long(1001) }],
    "guestCount 0": ["guestCount", { guestCount: 0 }],
    "guestCount 1.5": ["guestCount", { guestCount: 1.5 }],
    "guestCount above 100,000": ["guestCount", { guestCount: 100_001 }],
    "no lines": ["lines", { lines: [] }],
    "lines missing": ["lines", { lines: undefined }],
    "line id of 65": ["lines.0.id", { lines: [line({ id: long(65) })] }],
    "two lines of one id": ["lines", { lines: [line({ id: "a" }), line({ id: "a" })] }],
    "productId as a number": ["lines.0.productId", { lines: [line({ productId: 101 })] }],
    "productId missing": ["lines.0.productId", { lines: [line({ productId: undefined })] }],
    "quantity 0": ["lines.0.quantity", { lines: [line({ quantity: 0 })] }],
    "quantity below 0": ["lines.0.quantity", { lines: [line({ quantity: -1 })] }],
    "unitPrice below 0": ["lines.0.unitPrice", { lines: [line({ unitPrice: -0.01 })] }],
    "total below 0": ["lines.0.total", { lines: [line({ total: -0.01 })] }],
    "quantity above 1e5": ["lines.0.quantity", { lines: [line({ quantity: 100_000.001 })] }],
    "total above 1e9": ["lines.0.total", { lines: [line({ total: 1e9 + 0.01 })] }],
    "taxAmount below 0": ["lines.0.taxAmount", { lines: [line({ taxAmount: -0.01 })] }],
    "taxIds as numbers": ["lines.0.taxIds.0", { lines: [line({ taxIds: [1] })] }],
    "note of 501": ["lines.0.note", { lines: [line({ note: long(501) })] }],
    "specialRequest of 501": ["lines.0.specialRequest", { lines: [line({ specialRequest: long(501) })] }],
    "totals without tax": ["totals.tax", { totals: { subtotal: 1, total: 118 } }],
    "totals as text": ["totals.total", { totals: { subtotal: 1, tax: 1, total: "118" } }],
    "totals missing": ["totals", { totals: undefined }],
    "pluginData as a list": ["pluginData", { pluginData: [] }],
    "pluginData of no plugin id": ["pluginData", { pluginData: { "No Id": {} } }],
    "pluginData of a plugin __proto__ [EXT-10]": [
      "pluginData.__proto__",
      { pluginData: JSON.parse('{"__proto__":{}}') },
    ],
    "pluginData with text": ["pluginData.reservations", { pluginData: { reservations: "r-1" } }],
    "an unknown key [EXT-10]": ["colour", { colour: "red" }],
    "an unknown key of a line [EXT-10]": ["kitchenSentAt", { lines: [line({ kitchenSentAt: "now" })] }],
    "an unknown key of the totals [EXT-10]": ["discount", { totals: { subtotal: 1, tax: 1, total: 118, discount: 0 } }],
    "a status [EXT-10]": ["status", { status: "paid" }],
  };

  it("each order field is accepted up to its bound [EXT-43]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    for (const [name, overrides] of Object.entries(accepted)) {
      const answer = await external.post("/orders", takeoutOrder(overrides));
      expect(answer.status, `${name}: ${JSON.stringify(answer.body)}`).toBe(201);
    }
  });

  it("an order has as many lines as its body holds, and can be changed afterwards [EXT-43]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const small = { productId: "1", quantity: 1, unitPrice: 1, total: 1 };
    const lines = Array.from({ length: 4_700 }, () => small);
    const created = await external.post(
      "/orders",
      takeoutOrder({ lines, totals: { subtotal: 4_700, tax: 0, total: 4_700 } }),
    );
    expect(created.status, created.body.error).toBe(201);
    const { posReference, snapshot } = created.body;
    const waiter = await hub.terminal();
    await waiter.change({ type: "ORDER_SEND", posReference });
    await waiter.change({
      type: "ORDER_UPSERT",
      posReference,
      baseVersion: 2,
      snapshot: { ...snapshot, notes: "many" },
    });
    const read = (await external.get(`/orders/${encodeURIComponent(posReference)}`)).body;
    expect([read.version, read.snapshot.notes, read.snapshot.lines.length]).toEqual([3, "many", 4_700]);
  });

  it("each order field beyond its bound is refused by name, and nothing is stored [EXT-43][EXT-10]", async () => {
    const hub = await startTestHub({ env: roomy });
    const external = hub.external();
    for (const [name, [field, overrides]] of Object.entries(refused)) {
      const answer = await external.post("/orders", takeoutOrder(overrides));
      expect(answer, name).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error, name).toContain(field);
    }
    const allWrong = {
      lines: [{ productId: 1 }],
      totals: { x: 1 },
      customerName: 5,
      notes: 5,
      guestCount: "x",
      colour: 1,
    };
    expect((await external.post("/orders", takeoutOrder(allWrong))).body.error).toContain('"colour"');
    const raw = JSON.stringify(takeoutOrder());
    for (const key of ["__proto__", "constructor"]) {
      const answer = await external.post("/orders", `{"${key}":{},${raw.slice(1)}`);
      expect(answer, key).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error).toContain(key);
    }
    expect((await external.post("/orders", raw.replace("118", "1e999"))).body.errorCode).toBe("VALIDATION_ERROR");
    expect(await countOrders(external)).toBe(0);
  });
});
