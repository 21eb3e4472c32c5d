import type { HubMessageOf, TableState } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { broadcastOrder as received } from "../support/broadcast-order.ts";
import { dineInOrder, terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const dish = (id: string, overrides: Record<string, unknown> = {}) => ({
  id,
  productId: 101,
  quantity: 1,
  unitPrice: 50,
  ...overrides,
});

const atTable = (tableId: number, overrides: Record<string, unknown> = {}) =>
  terminalSnapshot({ orderType: "dine_in", tableId, ...overrides });

const write = (
  posReference: string,
  baseVersion: number,
  snapshot: Record<string, unknown>,
  overrides: object = {},
) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot,
  ...overrides,
});

const batch = (
  orders: [posReference: string, baseVersion: number, snapshot: Record<string, unknown>][],
  overrides = {},
) => ({
  type: "ORDER_BATCH",
  orders: orders.map(([posReference, baseVersion, snapshot]) => ({ posReference, baseVersion, snapshot })),
  ...overrides,
});

const open = (terminal: TestTerminal, posReference: string, tableId: number, overrides: Record<string, unknown> = {}) =>
  terminal.change(write(posReference, 0, atTable(tableId, overrides)));

const discard = (posReference: string, baseVersion: number) => ({ type: "ORDER_DISCARD", posReference, baseVersion });

/** Returns the tables as a new terminal sees them. */
async function tablesOf(hub: TestHub): Promise<Record<number, TableState["status"]>> {
  const newcomer = await hub.terminal({ deviceId: "looks" });
  newcomer.close();
  return Object.fromEntries(newcomer.sync.tables.map(({ tableId, status }) => [tableId, status]));
}

const removals = (terminal: TestTerminal): HubMessageOf<"ORDER_REMOVED">[] =>
  terminal.received.filter((message): message is HubMessageOf<"ORDER_REMOVED"> => message.type === "ORDER_REMOVED");

describe("second checks", () => {
  it("a second check on a table is refused with the first one, unless it is requested [TABLE-2, TABLE-20]", async () => {
    const hub = await startTestHub();
    const ana = await hub.terminal({ deviceId: "ana" });
    const luis = await hub.terminal({ login: "cashier", deviceId: "luis" });
    const answers = await Promise.allSettled([
      open(ana, "A", 5, { staffName: "Ana" }),
      open(luis, "B", 5, { staffName: "Luis" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [first, second] = answers[0]?.status === "fulfilled" ? ["A", "B"] : ["B", "A"];
    const staffName = first === "A" ? "Ana" : "Luis";
    expect(await refusal(open(luis, second, 5))).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
      posReference: second,
      retryable: false,
      existing: { posReference: first, checkNumber: 1, staffName },
    });
    expect(await refusal(luis.change(write(second, 0, atTable(5), { additionalCheck: false })))).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
    });
    await luis.change(write(second, 0, atTable(5), { additionalCheck: true }));
    expect((await received(luis, second, 1)).snapshot.checkNumber).toBe(2);
  });

  it("a first active check on a table, and an order not for the table, need no additional-check request [TABLE-20]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await open(till, "A", 5);
    await till.change(write("B", 0, atTable(5, { orderType: "takeout" })));
    await till.change(discard("B", 1));
    await open(till, "C", 6);
    // Moving a check to an occupied table counts as an edit.
    await till.change(write("C", 1, atTable(5)));
    await till.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await till.change(discard("C", 2));
    expect(await open(till, "D", 5)).toMatchObject({ version: 1 });
    expect(await refusal(till.change(write("E", 0, { tableId: 5, lines: [] })))).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
      existing: { posReference: "D", checkNumber: 1, staffName: till.hello.user.name },
    });
  });

  it("a check for a party that sits already is refused at any table, unless it is requested [TABLE-24]", async () => {
    const hub = await startTestHub();
    const ana = await hub.terminal({ deviceId: "ana" });
    const luis = await hub.terminal({ deviceId: "luis" });
    const party = (key: string, overrides: Record<string, unknown> = {}) => ({
      pluginData: { waiting: { key } },
      ...overrides,
    });
    await open(ana, "A", 5, party("almonte", { staffName: "Ana", lines: [dish("a"), dish("b")] }));
    expect(await refusal(open(luis, "B", 6, party("almonte")))).toMatchObject({
      errorCode: "PARTY_SEATED",
      posReference: "B",
      retryable: false,
      existing: { posReference: "A", checkNumber: 1, staffName: "Ana" },
    });
    expect(await refusal(open(luis, "B", 5, party("almonte")))).toMatchObject({ errorCode: "PARTY_SEATED" });
    // Another party, and a booking with the same key, are accepted.
    await open(luis, "C", 6, party("peralta", { notes: "almonte" }));
    await open(luis, "D", 7, { pluginData: { reservations: { key: "almonte" } } });
    // Splitting the party's own check is accepted.
    await luis.change(
      batch([
        ["A", 1, atTable(5, { lines: [dish("a")] })],
        ["E", 0, atTable(5, party("almonte", { lines: [dish("b")] }))],
      ]),
    );
    await luis.change(write("F", 0, atTable(8, party("almonte")), { additionalCheck: true }));
    for (const [posReference, version] of [
      ["A", 2],
      ["E", 1],
      ["F", 1],
    ] as const) {
      await ana.change(discard(posReference, version));
    }
    await open(luis, "G", 5, party("almonte"));
  });

  it("a batch that splits an order of the table needs no additional-check request [TABLE-21]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await open(till, "A", 5, { lines: [dish("a"), dish("b")] });
    await open(till, "X", 6);
    const half = (id: string, tableId = 5) => atTable(tableId, { lines: [dish(id)] });
    expect(
      await refusal(
        till.change(
          batch([
            ["A", 1, half("a")],
            ["B", 0, half("b", 6)],
          ]),
        ),
      ),
    ).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
      posReference: "B",
      existing: { posReference: "X" },
    });
    expect(await refusal(till.change(batch([["B", 0, half("b")]])))).toMatchObject({ errorCode: "TABLE_OCCUPIED" });
    await till.change(
      batch([
        ["A", 1, half("a")],
        ["B", 0, half("b")],
      ]),
    );
    expect((await received(till, "B", 1)).snapshot.checkNumber).toBe(2);
    await till.change(batch([["C", 0, half("c")]], { additionalCheck: true }));
    expect((await received(till, "C", 1)).snapshot.checkNumber).toBe(3);
    // Also if the original order leaves the table in the same batch.
    await till.change(
      batch([
        ["A", 2, atTable(7, { lines: [] })],
        ["D", 0, half("a")],
      ]),
    );
    expect((await received(till, "D", 1)).tableId).toBe(5);
  });
});

describe("merges", () => {
  it("a merge closes the check whose lines all moved to another, by a waiter too [ORDER-90]", async () => {
    const hub = await startTestHub();
    const receiver = await startReceiver();
    await hub.external().post("/webhooks", { url: receiver.url, events: ["order.deleted"] });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    await open(waiter, "A", 5, { lines: [dish("a"), dish("sent"), dish("gone", { voided: true })] });
    await waiter.change({ type: "ORDER_SEND", posReference: "A", lineIds: ["sent"] });
    await open(waiter, "B", 6, { lines: [dish("b")] });
    const ack = await waiter.change(
      batch([
        ["A", 2, atTable(5, { lines: [] })],
        ["B", 1, atTable(6, { lines: [dish("b"), dish("a"), dish("sent")] })],
      ]),
    );
    expect(ack.orders).toMatchObject([
      { posReference: "A", version: 3 },
      { posReference: "B", version: 2 },
    ]);
    const removed = await other.next("ORDER_REMOVED");
    expect(removed).toEqual({
      type: "ORDER_REMOVED",
      seq: ack.orders?.[0]?.seq,
      posReference: "A",
      version: 3,
      origin: "waiter",
      mergedInto: ["B"],
    });
    expect((await received(other, "B", 2)).snapshot).toMatchObject({ totals: { total: 150 } });
    expect(await tablesOf(hub)).toEqual({ 5: "available", 6: "occupied" });
    const [delivery] = await receiver.count(1);
    expect(delivery?.body).toMatchObject({
      event: "order.deleted",
      data: { posReference: "A", version: 3, origin: "waiter", mergedInto: ["B"], snapshot: { tableId: 5 } },
    });
    expect(await refusal(waiter.change(write("A", 0, atTable(9))))).toMatchObject({ errorCode: "ORDER_LOCKED" });
    const { order, removed: isRemoved } = (await operatorOf(hub)("order", { params: { posReference: "A" } })).body;
    expect([order.posReference, isRemoved]).toEqual(["A", true]);
    expect((await operatorOf(hub)("feed")).body.entries).toContainEqual(
      expect.objectContaining({ kind: "order_merged", detail: expect.objectContaining({ posReference: "A" }) }),
    );
  });

  it("a merge frees the check's number, and the table unless another check is on it [ORDER-90]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await open(till, "A", 5, { lines: [dish("a")] });
    await till.change(write("B", 0, atTable(5, { lines: [dish("b")] }), { additionalCheck: true }));
    await till.change(
      batch([
        ["B", 1, atTable(5, { lines: [] })],
        ["A", 1, atTable(5, { lines: [dish("a"), dish("b")] })],
      ]),
    );
    expect(removals(till)).toMatchObject([{ posReference: "B", mergedInto: ["A"] }]);
    expect(await tablesOf(hub)).toEqual({ 5: "occupied" });
    await till.change(write("C", 0, atTable(5), { additionalCheck: true }));
    expect((await received(till, "C", 1)).snapshot.checkNumber).toBe(2);
  });

  it("a merge may spread lines over several checks and rename them with splitOf [ORDER-90]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await open(till, "A", 5, { lines: [dish("1", { quantity: 3 }), dish("2")] });
    await open(till, "B", 6, { lines: [dish("1")] });
    await till.change(
      batch([
        ["A", 1, atTable(5, { lines: [] })],
        ["B", 1, atTable(6, { lines: [dish("1"), dish("9", { splitOf: "1", splitFrom: "A", quantity: 3 })] })],
        ["C", 0, atTable(7, { lines: [dish("2")] })],
      ]),
    );
    expect(removals(till)).toMatchObject([{ posReference: "A", mergedInto: ["B", "C"] }]);
  });

  it.each([true, false])("a part of a line is merged back into its line (sent: %s) [ORDER-90]", async (isSent) => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await open(waiter, "A", 5, { lines: [dish("a", { quantity: 5 })] });
    if (isSent) await waiter.change({ type: "ORDER_SEND", posReference: "A" });
    const version = isSent ? 2 : 1;
    await waiter.change(
      batch([
        ["A", version, atTable(5, { lines: [dish("a", { quantity: 3 })] })],
        ["B", 0, atTable(6, { lines: [dish("part", { quantity: 2, splitOf: "a", splitFrom: "A" })] })],
      ]),
    );
    await waiter.change(
      batch([
        ["A", version + 1, atTable(5, { lines: [dish("a", { quantity: 5 })] })],
        ["B", 1, atTable(6, { lines: [] })],
      ]),
    );
    expect(removals(waiter)).toMatchObject([{ posReference: "B", mergedInto: ["A"] }]);
    expect(await tablesOf(hub)).toEqual({ 5: "occupied", 6: "available" });
  });

  it("a merge closes a check whose lines were all voided before the kitchen had them [ORDER-90]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await open(till, "A", 5, { lines: [dish("a", { voided: true }), dish("left", { voided: true })] });
    await open(till, "B", 6, { lines: [dish("b")] });
    await till.change(
      batch([
        ["A", 1, atTable(5, { lines: [] })],
        ["B", 1, atTable(6, { lines: [dish("b"), dish("a", { voided: true })] })],
      ]),
    );
    expect(removals(till)).toMatchObject([{ posReference: "A", mergedInto: ["B"] }]);
    expect(await tablesOf(hub)).toEqual({ 5: "available", 6: "occupied" });
  });

  it("a batch that loses a line, or only empties checks without lines, is no merge [ORDER-91]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await open(till, "A", 5, { lines: [dish("a"), dish("lost")] });
    await open(till, "B", 6, { lines: [dish("b")] });
    await till.change(
      batch([
        ["A", 1, atTable(5, { lines: [] })],
        ["B", 1, atTable(6, { lines: [dish("a"), dish("b")] })],
      ]),
    );
    expect((await received(till, "A", 2)).snapshot.lines).toEqual([]);
    // Nor is a check that already had no lines: a waiter may discard it.
    await till.change(
      batch([
        ["A", 2, atTable(5, { lines: [] })],
        ["B", 2, atTable(6, { lines: [] })],
      ]),
    );
    await till.change(write("A", 3, atTable(5, { lines: [] })));
    expect(removals(till)).toEqual([]);
    expect(await tablesOf(hub)).toEqual({ 5: "occupied", 6: "occupied" });
  });

  it("a merge is refused as a whole if another terminal leased, changed or checked out the check [ORDER-91]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    await open(waiter, "A", 5, { lines: [dish("a")] });
    await open(waiter, "B", 6, { lines: [dish("b")] });
    const merge = () =>
      waiter.change(
        batch([
          ["A", 1, atTable(5, { lines: [] })],
          ["B", 1, atTable(6, { lines: [dish("a"), dish("b")] })],
        ]),
      );
    await other.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    expect(await refusal(merge())).toMatchObject({ errorCode: "LEASE_HELD", posReference: "A" });
    await other.change(write("A", 1, atTable(5, { lines: [dish("a"), dish("new")] })));
    await other.request({ type: "LEASE_RELEASE", posReference: "A" });
    expect(await refusal(merge())).toMatchObject({ errorCode: "CONFLICT", posReference: "A" });
    await other.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 2 });
    expect(await refusal(merge())).toMatchObject({ errorCode: "ORDER_LOCKED", posReference: "A" });
    expect(removals(waiter)).toEqual([]);
    expect((await received(waiter, "B", 1)).snapshot.lines).toHaveLength(1);
  });
});

describe("a waiter's discard", () => {
  it("a waiter may discard a check only without money and without anything that the kitchen has [ORDER-92]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "cashier" });
    await open(waiter, "A", 5, { lines: [dish("a"), dish("b")] });
    await waiter.change(discard("A", 1));
    expect(removals(waiter)).toMatchObject([{ posReference: "A" }]);
    expect(removals(waiter)[0]).not.toHaveProperty("mergedInto");
    expect(await tablesOf(hub)).toEqual({ 5: "available" });

    await open(waiter, "B", 5, { lines: [dish("a"), dish("b")] });
    await waiter.change({ type: "ORDER_SEND", posReference: "B", lineIds: ["a"] });
    expect(await refusal(waiter.change(discard("B", 2)))).toMatchObject({ errorCode: "FORBIDDEN" });
    await cashier.change({ type: "KITCHEN_BUMP", posReference: "B", lineId: "a", preparedQuantity: 1 });
    await cashier.change(write("B", 3, atTable(5, { lines: [dish("a", { voided: true }), dish("b")] })));
    expect(await refusal(waiter.change(discard("B", 4)))).toMatchObject({ errorCode: "FORBIDDEN" });
    await cashier.change(discard("B", 4));

    // The dish was voided before the kitchen saw it, so the waiter may discard the check.
    await open(waiter, "D", 5, { lines: [dish("a")] });
    await waiter.change({ type: "ORDER_SEND", posReference: "D" });
    await cashier.change(write("D", 2, atTable(5, { lines: [dish("a", { voided: true })] })));
    await waiter.change(discard("D", 3));

    await open(waiter, "C", 5);
    await waiter.change(write("C", 1, atTable(5, { guestCount: 4 })));
    const pay = { type: "ORDER_PAY", posReference: "C", baseVersion: 1, payments: [{ methodId: 1, amount: 100 }] };
    expect(await refusal(cashier.change(pay))).toMatchObject({ errorCode: "CONFLICT" });
    expect(await refusal(waiter.change(discard("C", 2)))).toMatchObject({ errorCode: "FORBIDDEN" });
    await cashier.change({ ...pay, baseVersion: 2 });
    expect(await refusal(waiter.change(discard("C", 3)))).toMatchObject({ errorCode: "FORBIDDEN" });
  });
});

describe("checks without lines", () => {
  it("a check without lines cannot be paid and is never forwarded [ORDER-93]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const till = await hub.terminal({ login: "cashier" });
    await open(till, "A", 5, { lines: [] });
    const pay = { type: "ORDER_PAY", posReference: "A", baseVersion: 1, payments: [{ methodId: 1, amount: 0 }] };
    for (const payments of [pay.payments, []]) {
      expect(await refusal(till.change({ ...pay, payments }))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
    expect((await hub.send("GET", "/health")).body).toMatchObject({ orders: 1, pendingForward: 0, totalForwarded: 0 });
    expect(await tablesOf(hub)).toEqual({ 5: "occupied" });
  });
});

describe("moving and joining", () => {
  it("moving a check to another table and to another waiter are edits [ORDER-94]", async () => {
    const hub = await startTestHub();
    const ana = await hub.terminal({ deviceId: "ana" });
    await open(ana, "A", 5);
    await ana.change({ type: "ORDER_SEND", posReference: "A" });
    await ana.change(write("A", 2, atTable(6, { staffName: "Luis" })));
    expect((await received(ana, "A", 3)).snapshot).toMatchObject({ tableId: 6, checkNumber: 1, staffName: "Luis" });
    await ana.change(write("A", 3, atTable(6)));
    expect((await received(ana, "A", 4)).snapshot).toMatchObject({ status: "sent", staffName: "Luis" });
    expect(await tablesOf(hub)).toEqual({ 5: "available", 6: "occupied" });
  });

  it("joined tables are all occupied, for terminals, integrations and screens, until the check is paid [TABLE-22]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const plan = await until("the floor plan", async () => (await call("floorPlan")).body.floors[0]);
    const [main, side, third] = plan.tables.map(({ tableId }: { tableId: number }) => tableId) as [
      number,
      number,
      number,
    ];
    const tableIds = [main, side];
    await till.change(write("A", 0, atTable(main, { tableIds })));
    expect((await received(till, "A", 1)).snapshot).toMatchObject({ tableId: main, tableIds, checkNumber: 1 });
    expect(await tablesOf(hub)).toEqual({ [main]: "occupied", [side]: "occupied" });
    expect(await refusal(open(till, "B", side))).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
      existing: { posReference: "A" },
    });
    expect(await refusal(till.change(write("B", 0, atTable(third, { tableIds: [third, side] }))))).toMatchObject({
      errorCode: "TABLE_OCCUPIED",
      existing: { posReference: "A" },
    });
    expect(await hub.external().post("/orders", dineInOrder(side))).toMatchObject({
      status: 409,
      body: { errorCode: "TABLE_OCCUPIED", existing: { posReference: "A" } },
    });
    expect(await till.request({ type: "TABLE_RESERVE", tableId: side })).toMatchObject({ errorCode: "TABLE_OCCUPIED" });
    const shown = (await call("floorPlan")).body.floors[0].tables.filter(
      (table: { checks: number }) => table.checks > 0,
    );
    expect(shown).toMatchObject(
      tableIds.map((tableId) => ({ tableId, checks: 1, detail: { checks: [{ posReference: "A" }] } })),
    );
    await till.change(write("B", 0, atTable(side), { additionalCheck: true }));
    expect((await received(till, "B", 1)).snapshot.checkNumber).toBe(2);
    await till.change(discard("B", 1));
    await hub.restart();
    const again = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(await refusal(open(again, "C", side))).toMatchObject({ errorCode: "TABLE_OCCUPIED" });
    await again.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    expect(await tablesOf(hub)).toEqual({ [main]: "available", [side]: "available" });
    expect(await open(again, "C", side)).toMatchObject({ version: 1 });
  });

  it("edits join and separate tables, and a table list that a terminal leaves out stays [TABLE-23]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    const edits: [Record<string, unknown>, number | null, number[] | undefined][] = [
      [{ tableId: 5 }, 5, undefined],
      [{ tableId: 5, tableIds: [5, 6] }, 5, [5, 6]],
      [{ tableId: 5, notes: "x" }, 5, [5, 6]],
      [{}, 5, [5, 6]],
      [{ tableIds: [7, 5, 6] }, 7, [7, 5, 6]],
      [{ tableId: 7, tableIds: [8, 9] }, 8, [8, 9]],
      [{ tableId: 8, tableIds: null }, 8, undefined],
      [{ tableId: 8, tableIds: [8, 9] }, 8, [8, 9]],
      [{ tableId: 8, tableIds: [] }, 8, undefined],
      [{ tableId: 8, tableIds: [8, 9] }, 8, [8, 9]],
      // A terminal moves the check and returns the `tableIds` that it received.
      [{ tableId: 3, tableIds: [8, 9] }, 3, undefined],
      [{ tableId: 3, tableIds: [3, 4] }, 3, [3, 4]],
      [{ tableId: null }, null, undefined],
    ];
    for (const [index, [content, tableId, tableIds]] of edits.entries()) {
      await till.change(write("A", index, terminalSnapshot({ orderType: "dine_in", ...content })));
      const { snapshot } = await received(till, "A", index + 1);
      expect({ tableId: snapshot.tableId, tableIds: snapshot.tableIds }).toEqual({ tableId, tableIds });
      const expected = tableIds ?? (tableId === null ? [] : [tableId]);
      const occupied = Object.entries(await tablesOf(hub)).flatMap(([id, status]) =>
        status === "occupied" ? [Number(id)] : [],
      );
      expect(occupied).toEqual(expected.toSorted((one, other) => one - other));
    }
  });

  it("joined tables that contradict the main table, or name a table twice, are refused [TABLE-23]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    for (const content of [{ tableId: 5, tableIds: [6, 7] }, { tableId: 5, tableIds: [5, 5] }, { tableIds: [0] }]) {
      expect(await refusal(till.change(write("A", 0, atTable(5, content))))).toMatchObject({
        errorCode: "VALIDATION_ERROR",
        error: expect.stringContaining("tableIds"),
      });
    }
    expect(await tablesOf(hub)).toEqual({});
  });
});
