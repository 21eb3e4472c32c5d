import { hubLimits } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { storeOrders } from "../support/data/store-orders.ts";
import { until } from "../support/until.ts";

const upsert = (posReference: string, baseVersion = 0, overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot: terminalSnapshot(overrides),
});

describe("limits of a device", () => {
  it("an order larger than 256 KiB is refused [ORDER-140]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const large = (kib: number) => ({ extra: "x".repeat(kib * 1024) });
    await till.change(upsert("A", 0, large(255)));
    for (const [posReference, baseVersion] of [
      ["A", 1],
      ["B", 0],
    ] as const) {
      expect(await refusal(till.change(upsert(posReference, baseVersion, large(256))))).toMatchObject({
        errorCode: "PAYLOAD_TOO_LARGE",
        posReference,
        retryable: false,
        error: "snapshot: an order holds at most 256 KiB, not 257",
      });
    }
    await till.change({ ...upsert("A", 1), snapshot: terminalSnapshot() });
  });

  it("a terminal may have 1,000 active orders [ORDER-141]", async () => {
    const hub = await startTestHub();
    await hub.restart(() => storeOrders(hub.dbPath, { count: hubLimits.openOrdersPerTerminal, status: "open" }));
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const other = await hub.terminal({ deviceId: "other" });
    expect(await refusal(till.change(upsert("A")))).toMatchObject({ errorCode: "LIMIT_REACHED", posReference: "A" });
    await other.change(upsert("A"));
    await till.change({ type: "ORDER_DISCARD", posReference: "OLD/0", baseVersion: 1 });
    await till.change(upsert("B"));
  });

  it("a terminal may have 8 MiB of large open orders, beside those of ordinary size [ORDER-142]", async () => {
    // A high rate, so the byte budget (TERM-175) does not throttle the test.
    const hub = await startTestHub({ env: { HUB_MUTATION_RATE_MAX: "1000" } });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const other = await hub.terminal({ deviceId: "other" });
    const large = { extra: "x".repeat(250 * 1024) };
    const most = Math.floor(hubLimits.openOrderBytesPerTerminal / (251 * 1024));
    for (let n = 0; n < most; n += 1) await (n % 2 === 0 ? other : till).change(upsert(`L${n}`, 0, large));
    for (let n = 0; n < most; n += 2) await till.change(upsert(`L${n}`, 1, { ...large, guestCount: 3 }));
    const limit = { errorCode: "LIMIT_REACHED", posReference: "ONE", retryable: false };
    expect(await refusal(till.change(upsert("ONE", 0, large)))).toMatchObject(limit);
    await till.change(upsert("ONE"));
    expect(await refusal(till.change(upsert("ONE", 1, large)))).toMatchObject(limit);
    await till.change(upsert("L1", 1, { ...large, guestCount: 4 }));
    await other.change(upsert("TWO", 0, large));
    await till.change({ type: "ORDER_DISCARD", posReference: "L1", baseVersion: 2 });
    await till.change(upsert("ONE", 1, large));
  });

  it("the state of a product that the menu does not have is refused [KIT-120]", async () => {
    const hub = await startTestHub();
    await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const waiter = await hub.terminal();
    const set = (productId: unknown) => ({ type: "ITEM_STATE_SET", productId, state: "out" });
    expect(await refusal(waiter.change(set("made-up")))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: "productId: the menu has no product made-up",
    });
    expect(await refusal(waiter.change({ ...set("made-up"), state: "available" }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await waiter.request({ ...set(101), mutationId: crypto.randomUUID() })).toMatchObject({ state: "out" });
  });

  it("tables that the floor plan does not have can be locked, reserved and occupied [TERM-170]", async () => {
    const hub = await startTestHub();
    await until("the plan is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const waiter = await hub.terminal();
    expect(await waiter.request({ type: "TABLE_LOCK", tableId: 999_998 })).toMatchObject({
      type: "TABLE_LOCKED",
      tableId: 999_998,
    });
    const reserved = { type: "TABLE_ACK", tableId: 999_999, status: "reserved" };
    expect(await waiter.request({ type: "TABLE_RESERVE", tableId: 999_999 })).toMatchObject(reserved);
    const other = await hub.terminal({ login: "cashier" });
    expect(await other.request({ type: "TABLE_LOCK", tableId: 999_998 })).toMatchObject({ type: "TABLE_LOCK_DENIED" });
    await other.change(upsert("A", 0, { orderType: "dine_in", tableId: 999_999 }));
  });

  it("orders, locks and reservations are accepted on 1,000 tables that the floor plan does not have [TERM-171]", async () => {
    const hub = await startTestHub();
    await until("the plan is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const till = await hub.terminal({ login: "cashier" });
    const at = (...tableIds: number[]) => ({ orderType: "dine_in", tableId: tableIds[0], tableIds });
    const many = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);
    const most = hubLimits.unplannedTables;
    for (let first = 10_000; first < 10_000 + most; first += 20) {
      if (first === 10_000 + most - 20) {
        // Either of them alone would fit.
        const parts = [20_000, 30_000].map((from) => ({
          posReference: `PART/${from}`,
          baseVersion: 0,
          snapshot: terminalSnapshot(at(...many(from, 15))),
        }));
        const tooMany = await refusal(till.change({ type: "ORDER_BATCH", orders: parts }));
        expect(tooMany).toMatchObject({ errorCode: "UNKNOWN_TABLE", posReference: "PART/30000" });
      }
      await till.change(upsert(`MANY/${first}`, 0, at(...many(first, 20))));
    }
    const unknown = { errorCode: "UNKNOWN_TABLE", error: "tableId: the floor plan has no table 999999" };
    expect(await refusal(till.change(upsert("A", 0, at(999_999))))).toMatchObject({ ...unknown, posReference: "A" });
    const orders = [{ posReference: "A", baseVersion: 0, snapshot: terminalSnapshot(at(999_999)) }];
    expect(await refusal(till.change({ type: "ORDER_BATCH", orders }))).toMatchObject({
      ...unknown,
      posReference: "A",
    });
    await till.change(upsert("A", 0, at(31)));
    await till.change(upsert("MANY/10000", 1, { ...at(10_001), guestCount: 3 }));
    expect(await refusal(till.change(upsert("A", 1, at(999_999))))).toMatchObject(unknown);
    for (const type of ["TABLE_LOCK", "TABLE_RESERVE"]) {
      expect(await till.request({ type, tableId: 999_999 })).toMatchObject({ type: "ERROR", ...unknown });
      expect(await till.request({ type, tableId: 33 })).not.toMatchObject({ type: "ERROR" });
    }
    // This table has had a check, so a new one is allowed there.
    await till.change(upsert("B", 0, at(10_000)));
  });

  it("a waiting list accepts 200 parties [TAPI-120]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("waiter");
    const call = (key: string, version: number, guestName: string) =>
      hub.send("PUT", `/terminal/v1/waiting/${key}`, {
        headers: { Authorization: `Bearer ${token}` },
        body: { guestName, partySize: 2, quotedMinutes: 10, version },
      });
    const keys = Array.from({ length: hubLimits.waitingParties }, (_, n) => `p${n}`);
    for (const key of keys) expect((await call(key, 0, "Peña")).status).toBe(200);
    expect(await call("more", 0, "Peña")).toMatchObject({ status: 409, body: { errorCode: "LIMIT_REACHED" } });
    expect((await call("p0", 1, "Peña Gómez")).status).toBe(200);
  });

  it("20 unauthorized payments of a device are kept, and a manager settles them together [MONEY-111]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const other = await hub.terminal({ deviceId: "other" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const tender = (tenderId: string, posReference = "NONE") => ({
      type: "ORDER_TENDER",
      tenderId,
      posReference,
      methodId: 1,
      amount: 10,
    });
    const ids = Array.from({ length: hubLimits.unauthorizedPayments }, () => crypto.randomUUID());
    for (const id of ids) expect((await refusal(waiter.change(tender(id)))).errorCode).toBe("FORBIDDEN");
    for (const terminal of [waiter, other]) {
      expect((await refusal(terminal.change(tender(crypto.randomUUID())))).errorCode).toBe("LIMIT_REACHED");
    }
    expect((await refusal(waiter.change(tender(ids[0] ?? "")))).errorCode).toBe("FORBIDDEN");
    expect((await refusal(till.change(tender(crypto.randomUUID())))).errorCode).toBe("NOT_FOUND");
    const { payments } = (await call("payments")).body;
    expect(payments.filter((each: { isUnauthorized: boolean }) => each.isUnauthorized)).toHaveLength(20);

    const settled = await call("settleUnauthorizedPayments", { body: { note: "a prank" } });
    expect(settled.body).toEqual({ settled: 20, amount: 200 });
    expect((await call("payments")).body.payments).toMatchObject([{ terminalId: "till", isUnauthorized: false }]);
    expect((await refusal(waiter.change(tender(crypto.randomUUID())))).errorCode).toBe("FORBIDDEN");
  });
});
