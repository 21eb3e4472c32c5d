import { HOUR_MS, OrderExport, OrderPage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { line, takeoutOrder } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const coffee = { id: "coffee", productId: 101, quantity: 1, unitPrice: 100, total: 100 };
const cake = { id: "cake", productId: 102, quantity: 1, unitPrice: 50, total: 50 };
const tea = { id: "tea", productId: 103, quantity: 2, unitPrice: 40, total: 80 };

function upsert(terminal: TestTerminal, posReference: string, baseVersion: number, snapshot: Record<string, unknown>) {
  return terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot });
}

describe("order search", () => {
  it("orders are filtered, searched and paged, newest activity first [OP-11, OP-40]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "till" });
    for (const [index, name] of ["Ana", "Berta", "100% Carla", "Diana", "Eva"].entries()) {
      await upsert(terminal, `R/${index}`, 0, { orderType: "takeout", customerName: name, lines: [coffee] });
    }
    await terminal.change({
      type: "ORDER_PAY",
      posReference: "R/0",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await terminal.change({ type: "ORDER_DISCARD", posReference: "R/1", baseVersion: 1 });

    const references = async (query: Record<string, string | number>): Promise<string[]> =>
      (await call("orders", { query })).body.orders.map((order: { posReference: string }) => order.posReference);
    expect(await references({})).toEqual(["R/4", "R/3", "R/2"]);
    expect(await references({ status: "removed" })).toEqual(["R/1"]);
    expect(await references({ status: "all", search: "berta" })).toEqual(["R/1"]);
    expect(await references({ status: "all", search: "ANA" })).toEqual(["R/0", "R/3"]);
    expect(await references({ search: "100%" })).toEqual(["R/2"]);
    expect(await references({ search: "T-004" })).toEqual(["R/3"]);
    expect(await references({ orderType: "dine_in" })).toEqual([]);
    expect((await call("orders", { query: { status: "paid" } })).body.orders).toMatchObject([
      { posReference: "R/0", removed: false },
    ]);
    expect((await call("orders", { query: { status: "removed" } })).body.orders).toMatchObject([
      { posReference: "R/1", removed: true, version: 2 },
    ]);

    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { limit: 2, status: "all", ...(cursor !== null && { cursor }) };
      const page = OrderPage.parse((await call("orders", { query })).body);
      expect(page.total).toBe(5);
      listed.push(...page.orders.map((order) => order.posReference));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(listed.toSorted()).toEqual(["R/0", "R/1", "R/2", "R/3", "R/4"]);
  });

  it("an order is found by its new customer name and no longer by the former one [OP-40]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal();
    await upsert(terminal, "R/1", 0, { customerName: "Ana", lines: [coffee] });
    await upsert(terminal, "R/1", 1, { customerName: "Berta", lines: [coffee] });
    const found = async (search: string): Promise<number> =>
      (await call("orders", { query: { search } })).body.orders.length;
    expect(await found("berta")).toBe(1);
    expect(await found("ana")).toBe(0);
  });
});

describe("order details", () => {
  it("an order lists each version with what it changed from the previous one [OP-41]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await upsert(terminal, "A/1", 0, { orderType: "takeout", lines: [coffee, cake] });
    await upsert(terminal, "A/1", 1, {
      orderType: "takeout",
      notes: "to go",
      lines: [{ ...coffee, quantity: 2 }, tea],
    });
    const { versions } = (await call("orderVersions", { params: { posReference: "A/1" } })).body;
    const dish = (productId: string, quantity?: number) => ({ dish: { productId, ...(quantity && { quantity }) } });
    expect(versions[0]).toMatchObject({
      version: 1,
      kind: "created",
      origin: "till",
      facts: expect.arrayContaining([
        { fact: "beganWith", values: { items: { dishes: [dish("101", 1).dish, dish("102", 1).dish] } } },
      ]),
    });
    expect(versions[1]).toMatchObject({ version: 2, kind: "edited", status: "open", total: 180 });
    expect(versions[1].facts).toEqual(
      expect.arrayContaining([
        { fact: "lineAdded", values: { item: dish("103", 2) } },
        { fact: "lineRemoved", values: { item: dish("102", 1) } },
        { fact: "quantity", values: { item: dish("101"), before: { number: 1 }, after: { number: 2 } } },
        { fact: "notes.set", values: { before: { text: "" }, after: { text: "to go" } } },
      ]),
    );
    expect(
      (await call("orderVersion", { params: { posReference: "A/1", version: 1 } })).body.snapshot.lines,
    ).toHaveLength(2);
    expect((await call("orderVersion", { params: { posReference: "A/1", version: 9 } })).status).toBe(404);
    expect((await call("order", { params: { posReference: "none" } })).status).toBe(404);
  });

  it("an order's timeline lists everything that happened, and can be exported as a file [OP-42]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await upsert(terminal, "A/1", 0, { orderType: "takeout", lines: [coffee] });
    const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A/1" });
    await terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "grill" });
    const bump = { type: "KITCHEN_BUMP", posReference: "A/1", lineId: "coffee", preparedQuantity: 1 };
    await terminal.change(bump);
    const payments = [{ methodId: 1, amount: 100 }];
    await terminal.change({ type: "ORDER_PAY", posReference: "A/1", baseVersion: 4, payments });
    const closed = { meets: (message: { version: number }) => message.version === 6 };
    await terminal.next("ORDER_CHANGED", closed.meets);

    const params = { posReference: "A/1" };
    const { entries } = (await call("orderTimeline", { params })).body;
    const received = entries.map(
      (entry: { kind: string; version?: { kind: string } }) => entry.version?.kind ?? entry.kind,
    );
    expect(received).toEqual(
      expect.arrayContaining(["created", "sent", "ticket_sent", "seen", "ticket_seen", "bumped", "paid", "payment"]),
    );
    expect(entries).toContainEqual(expect.objectContaining({ kind: "forward", attempt: 1, outcome: "finalized" }));
    expect(received).toContain("closed");

    const file = await call("exportOrder", { params });
    expect(file.headers["content-disposition"]).toBe('attachment; filename="order-A-1.json"');
    expect(OrderExport.parse(file.body)).toMatchObject({ order: params, versions: { length: 6 } });
  });

  it("a discarded check is still shown and cannot be reverted [OP-43]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "till" });
    await upsert(terminal, "A", 0, { orderType: "takeout", lines: [coffee] });
    await terminal.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 1 });
    const params = { posReference: "A" };
    expect((await call("order", { params })).body).toMatchObject({ removed: true, order: { version: 1 } });
    expect((await call("orderVersions", { params })).body.versions).toMatchObject([
      { kind: "created" },
      { version: 2, kind: "discarded", origin: "till" },
    ]);
    expect(await call("revertOrder", { params, body: { version: 1, baseVersion: 1 } })).toMatchObject({
      status: 409,
      body: { errorCode: "ORDER_LOCKED" },
    });
  });
});

describe("reverting orders", () => {
  it("reverting an order writes the earlier content as a new version from the hub and notifies terminals [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet" });
    await upsert(terminal, "A", 0, { orderType: "takeout", notes: "first", lines: [coffee, cake] });
    await upsert(terminal, "A", 1, { orderType: "takeout", notes: "second", lines: [tea] });
    const params = { posReference: "A" };
    expect((await call("revertOrder", { params, body: { version: 1, baseVersion: 2 } })).body).toEqual({
      posReference: "A",
      version: 3,
    });
    const { order } = await terminal.next("ORDER_CHANGED", (message) => message.version === 3);
    expect(order).toMatchObject({
      terminalId: "hub",
      snapshot: { notes: "first", totals: { total: 150 }, status: "open" },
    });
    expect(order.snapshot.lines.map((line) => line.id)).toEqual(["coffee", "cake"]);
    expect((await call("orderVersions", { params })).body.versions[2]).toMatchObject({
      kind: "reverted",
      origin: "hub",
    });
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "order.revert", target: "A", note: { reason: "note_version", values: { version: "1" } } },
    ]);
  });

  it("reverting an order keeps the lines that the kitchen has, with their progress [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet" });
    await upsert(terminal, "A", 0, { orderType: "takeout", lines: [coffee] });
    await upsert(terminal, "A", 1, {
      orderType: "takeout",
      lines: [{ ...coffee, quantity: 3, total: 300 }, tea, cake],
    });
    await terminal.change({ type: "ORDER_SEND", posReference: "A", lineIds: ["coffee", "tea"] });
    const { tickets } = (await call("kitchen")).body;
    await terminal.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "tea", preparedQuantity: 1 });
    const params = { posReference: "A" };
    await call("revertOrder", { params, body: { version: 1, baseVersion: 4 } });
    const { snapshot } = (await call("order", { params })).body.order;
    expect(snapshot).toMatchObject({
      status: "sent",
      totals: { total: 380 },
      lines: [
        { id: "coffee", quantity: 3, sentQuantity: 3 },
        { id: "tea", quantity: 2, sentQuantity: 2, preparedQuantity: 1 },
      ],
    });
    expect(snapshot.lines).toHaveLength(2);
    expect((await call("kitchen")).body.tickets).toMatchObject([{ ticketId: tickets[0].ticketId, state: "started" }]);
  });

  it("reverting an order leaves lines with the check they were moved to [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
    const takeout = (...lines: object[]) => ({ orderType: "takeout", lines });
    const write = (writes: [posReference: string, baseVersion: number, lines: object[]][]) =>
      terminal.change({
        type: "ORDER_BATCH",
        orders: writes.map(([posReference, baseVersion, lines]) => {
          return { posReference, baseVersion, snapshot: takeout(...lines) };
        }),
      });
    const part = { ...tea, id: "part", quantity: 1, total: 40, splitOf: "tea", splitFrom: "A" };
    await upsert(terminal, "A", 0, takeout(coffee, tea, cake));
    await upsert(terminal, "B", 0, takeout({ ...coffee, id: "other" }));
    // An integration may use the same line id for an unrelated line.
    expect((await hub.external().post("/orders", takeoutOrder({ lines: [line({ id: "cake" })] }))).status).toBe(201);
    await write([
      ["A", 1, [{ ...tea, quantity: 1, total: 40 }]],
      ["B", 1, [{ ...coffee, id: "other" }, coffee, part]],
    ]);
    await write([
      ["B", 2, [{ ...coffee, id: "other" }, part]],
      ["C", 0, [coffee]],
    ]);
    await terminal.change({
      type: "ORDER_PAY",
      posReference: "C",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    const params = { posReference: "A" };
    await call("revertOrder", { params, body: { version: 1, baseVersion: 2 } });
    const { snapshot } = (await call("order", { params })).body.order;
    expect(snapshot).toMatchObject({ totals: { total: 90 }, lines: [{ id: "tea", quantity: 1 }, { id: "cake" }] });
    expect(snapshot.lines).toHaveLength(2);
  });

  it("reverting an order restores only the remainder of a dish of which a part was moved before [OP-19]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
    const takeout = (...lines: object[]) => ({ orderType: "takeout", lines });
    const rest = { ...tea, quantity: 1, total: 40 };
    const part = { ...rest, id: "part", splitOf: "tea", splitFrom: "A" };
    await upsert(terminal, "A", 0, takeout(coffee, tea));
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: 1, snapshot: takeout(coffee, rest) },
        { posReference: "B", baseVersion: 0, snapshot: takeout(part) },
      ],
    });
    await upsert(terminal, "A", 2, takeout(coffee));
    const params = { posReference: "A" };
    await call("revertOrder", { params, body: { version: 2, baseVersion: 3 } });
    const { snapshot } = (await call("order", { params })).body.order;
    expect(snapshot).toMatchObject({ totals: { total: 140 }, lines: [{ id: "coffee" }, { id: "tea", quantity: 1 }] });
  });

  it.each([
    ["in the same millisecond, on a check that is stored before it", "0", 0],
    ["in the same millisecond, on a check that is stored after it", "B", 0],
    ["after the clock was set back", "B", -HOUR_MS],
  ])("reverting an order leaves out what was moved since %s [OP-19]", async (_, other, step) => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
    const takeout = (...lines: object[]) => ({ orderType: "takeout", lines });
    await upsert(terminal, "A", 0, takeout(coffee, cake, tea));
    const orders = [
      { posReference: "A", baseVersion: 1, snapshot: takeout(coffee, cake) },
      { posReference: other, baseVersion: 0, snapshot: takeout(tea) },
    ];
    clock.jumpWall(step);
    await terminal.change({ type: "ORDER_BATCH", orders: other < "A" ? orders.toReversed() : orders });
    await terminal.change({
      type: "ORDER_PAY",
      posReference: other,
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 80 }],
    });
    await upsert(terminal, "A", 2, takeout(coffee));
    const params = { posReference: "A" };
    await call("revertOrder", { params, body: { version: 1, baseVersion: 3 } });
    const { snapshot } = (await call("order", { params })).body.order;
    expect(snapshot).toMatchObject({ totals: { total: 150 }, lines: [{ id: "coffee" }, { id: "cake" }] });
  });

  const teas = (id: string, quantity: number, origin: object = {}) => {
    return { ...tea, ...origin, id, quantity, total: 40 * quantity };
  };

  it.each([
    [
      "was split before it went",
      [
        [["A", 1, [coffee, teas("tea", 3), teas("half", 1, { splitOf: "tea" })]]],
        [
          ["A", 2, [coffee, teas("tea", 3)]],
          ["B", 0, [teas("half", 1, { splitOf: "tea" })]],
        ],
      ],
      3,
    ],
    [
      "was split once more where it went, from a check that is gone",
      [
        [
          ["A", 1, [coffee, teas("tea", 2)]],
          ["B", 0, [teas("half", 2, { splitOf: "tea", splitFrom: "A" })]],
        ],
        [
          ["B", 1, [teas("half", 1, { splitOf: "tea", splitFrom: "A" })]],
          ["C", 0, [teas("quarter", 1, { splitOf: "half", splitFrom: "B" })]],
        ],
        [["B", 2, []]],
      ],
      2,
    ],
    [
      "was split after all of it went, from a check that has none any more",
      [
        [
          ["A", 1, [coffee]],
          ["B", 0, [cake, teas("tea", 4)]],
        ],
        [
          ["B", 1, [cake, teas("tea", 3)]],
          ["C", 0, [teas("part", 1, { splitOf: "tea", splitFrom: "B" })]],
        ],
        [["B", 2, [cake]]],
      ],
      null,
    ],
  ] as [string, [string, number, object[]][][], number | null][])(
    "reverting an order leaves the part of a dish with another check that %s [OP-19]",
    async (_, batches, expectedPart) => {
      const hub = await startTestHub();
      const call = operatorOf(hub);
      const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
      const takeout = (lines: object[]) => ({ orderType: "takeout", lines });
      await upsert(terminal, "A", 0, takeout([coffee, teas("tea", 4)]));
      for (const writes of batches) {
        const [[posReference, baseVersion, lines]] = writes as [[string, number, object[]]];
        await terminal.change(
          lines.length === 0
            ? { type: "ORDER_DISCARD", posReference, baseVersion }
            : {
                type: "ORDER_BATCH",
                orders: writes.map(([of, base, to]) => ({
                  posReference: of,
                  baseVersion: base,
                  snapshot: takeout(to),
                })),
              },
        );
      }
      const params = { posReference: "A" };
      const baseVersion = (await call("order", { params })).body.order.version;
      await call("revertOrder", { params, body: { version: 1, baseVersion } });
      const { lines } = (await call("order", { params })).body.order.snapshot;
      expect(lines).toMatchObject([
        { id: "coffee" },
        ...(expectedPart === null ? [] : [{ id: "tea", quantity: expectedPart }]),
      ]);
    },
  );

  it.each([
    ["that had gone before that version", 2, [{ id: "tea", quantity: 1 }, { id: "cake" }]],
    ["that went since", 1, [{ id: "cake" }]],
  ])(
    "reverting an order recognizes a part %s, though it was moved on to a third check [OP-19]",
    async (_, version, lines) => {
      const clock = manualClock();
      const hub = await startTestHub({ world: clock.world });
      const call = operatorOf(hub);
      const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
      const takeout = (...lines: object[]) => ({ orderType: "takeout", lines });
      const rest = { ...tea, quantity: 1, total: 40 };
      const part = { ...rest, id: "part", splitOf: "tea", splitFrom: "A" };
      await upsert(terminal, "A", 0, takeout(tea, cake));
      await terminal.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", baseVersion: 0, snapshot: takeout(part) },
          { posReference: "A", baseVersion: 1, snapshot: takeout(rest, cake) },
        ],
      });
      await upsert(terminal, "A", 2, takeout(coffee));
      await terminal.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", baseVersion: 1, snapshot: takeout() },
          { posReference: "C", baseVersion: 0, snapshot: takeout(part) },
        ],
      });
      const params = { posReference: "A" };
      await call("revertOrder", { params, body: { version, baseVersion: 3 } });
      const { snapshot } = (await call("order", { params })).body.order;
      expect(snapshot.lines).toMatchObject(lines);
    },
  );

  it("reverting an order leaves a part split on it with the other check, whichever version returns [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
    const takeout = (...lines: object[]) => ({ orderType: "takeout", lines });
    const part = { ...tea, quantity: 1, total: 40, id: "part", splitOf: "tea" };
    const rest = { ...tea, quantity: 1, total: 40 };
    await upsert(terminal, "A", 0, takeout(cake, tea));
    await upsert(terminal, "A", 1, takeout(cake, rest, part));
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: 2, snapshot: takeout(cake, rest) },
        { posReference: "B", baseVersion: 0, snapshot: takeout(part) },
      ],
    });
    const params = { posReference: "A" };
    const linesAfter = async (version: number, baseVersion: number) => {
      await call("revertOrder", { params, body: { version, baseVersion } });
      return (await call("order", { params })).body.order.snapshot.lines;
    };
    expect(await linesAfter(2, 3)).toMatchObject([{ id: "cake" }, { id: "tea", quantity: 1 }]);
    expect(await linesAfter(1, 4)).toMatchObject([{ id: "cake" }, { id: "tea", quantity: 1 }]);
  });

  it("reverting an order restores the remainder of a dish whose moved part was split again since [OP-19]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "manager", deviceId: "tablet" });
    const move = async (...writes: [posReference: string, baseVersion: number, ...lines: object[]][]) => {
      await terminal.change({
        type: "ORDER_BATCH",
        orders: writes.map(([posReference, baseVersion, ...lines]) => {
          return { posReference, baseVersion, snapshot: { orderType: "takeout", lines } };
        }),
      });
    };
    const half = { splitOf: "tea", splitFrom: "A" };
    await move(["A", 0, coffee, teas("tea", 4)]);
    await move(["A", 1, coffee, teas("tea", 2)], ["B", 0, teas("half", 2, half)]);
    await move(["A", 2, coffee]);
    const quarter = teas("quarter", 1, { splitOf: "half", splitFrom: "B" });
    await move(["B", 1, teas("half", 1, half)], ["C", 0, quarter]);
    const params = { posReference: "A" };
    await call("revertOrder", { params, body: { version: 2, baseVersion: 3 } });
    const { lines } = (await call("order", { params })).body.order.snapshot;
    expect(lines).toMatchObject([{ id: "coffee" }, { id: "tea", quantity: 2 }]);
  });

  it("reverting an order moves the check back to its table and updates both tables [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet" });
    await upsert(terminal, "A", 0, { tableId: 61, lines: [coffee] });
    await upsert(terminal, "A", 1, { tableId: 62, lines: [coffee] });
    await call("revertOrder", { params: { posReference: "A" }, body: { version: 1, baseVersion: 2 } });
    expect((await call("tables")).body.tables).toMatchObject([
      { tableId: 61, status: "occupied", posReference: "A" },
      { tableId: 62, status: "available" },
    ]);
  });

  it("reverting to a stale version, or reverting a leased or locked order, is refused [OP-19]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await upsert(terminal, "A", 0, { orderType: "takeout", lines: [coffee] });
    await upsert(terminal, "A", 1, { orderType: "takeout", lines: [tea] });
    const params = { posReference: "A" };
    const revert = (version: number, baseVersion: number) =>
      call("revertOrder", { params, body: { version, baseVersion } });
    expect(await revert(1, 1)).toMatchObject({ status: 409, body: { errorCode: "CONFLICT", hubVersion: 2 } });
    expect(await revert(7, 2)).toMatchObject({ status: 404 });
    expect(await revert(2, 2)).toMatchObject({ status: 400 });
    terminal.send({ type: "LEASE_ACQUIRE", posReference: "A" });
    await terminal.next("LEASE_GRANTED");
    expect(await revert(1, 2)).toMatchObject({ status: 409, body: { errorCode: "LEASE_HELD" } });
    await terminal.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 2 });
    expect(await revert(1, 3)).toMatchObject({ status: 409, body: { errorCode: "ORDER_LOCKED" } });
    expect((await call("audit")).body.entries).toEqual([]);
  });
});

describe("kitchen tickets", () => {
  it("a kitchen ticket's state goes from unseen to seen, started and ready [OP-44]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet" });
    await upsert(terminal, "A", 0, { orderType: "takeout", lines: [tea] });
    const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    const tickets = async (state = "open") => (await call("kitchen", { query: { state } })).body.tickets;
    expect(await tickets()).toMatchObject([{ ticketId: kitchenTicketId, state: "unseen", lines: [{ quantity: 2 }] }]);
    const counts = async () => (await call("overview")).body.kitchen;
    expect(await counts()).toMatchObject({ open: 1, unseen: 1, unseenAt: (await counts()).oldestAt });
    await terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "bar" });
    expect(await tickets()).toMatchObject([{ state: "seen", seen: [{ stationId: "bar" }] }]);
    await terminal.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "tea", preparedQuantity: 1 });
    expect(await tickets()).toMatchObject([{ state: "started", lines: [{ preparedQuantity: 1 }] }]);
    expect(await counts()).toMatchObject({ open: 1, unseen: 0, oldestAt: expect.any(String), unseenAt: null });
    await terminal.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "tea", preparedQuantity: 2 });
    expect(await tickets()).toEqual([]);
    expect(await tickets("ready")).toMatchObject([{ ticketId: kitchenTicketId, readyAt: expect.any(String) }]);

    await upsert(terminal, "A", 5, { orderType: "takeout", lines: [{ ...tea, quantity: 3, total: 120 }] });
    await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    expect(await tickets()).toMatchObject([{ state: "unseen", lines: [{ quantity: 1, preparedQuantity: 0 }] }]);
  });
});

describe("history of checks", () => {
  it("a check's history has the reason of its discard, or where its lines went when it was merged [OP-142]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    for (const [name, line] of Object.entries({ "B/1": tea, "B/2": tea, "B/3": cake })) {
      await upsert(terminal, name, 0, { orderType: "takeout", lines: [line] });
    }
    await terminal.change({ type: "ORDER_DISCARD", posReference: "B/1", baseVersion: 1, reason: "wrong table" });
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        {
          posReference: "B/2",
          baseVersion: 1,
          snapshot: { orderType: "takeout", lines: [tea, cake] },
        },
        { posReference: "B/3", baseVersion: 1, snapshot: { orderType: "takeout", lines: [] } },
      ],
    });
    const lastOf = async (posReference: string) =>
      (await call("orderVersions", { params: { posReference } })).body.versions.at(-1);
    expect(await lastOf("B/1")).toMatchObject({ kind: "discarded", reason: "wrong table" });
    const merged = await lastOf("B/3");
    expect(merged).toMatchObject({ kind: "discarded", mergedInto: ["B/2"] });
    expect(merged).not.toHaveProperty("reason");
    expect((await call("order", { params: { posReference: "B/3" } })).body).toMatchObject({ mergedInto: ["B/2"] });
    expect((await call("order", { params: { posReference: "B/1" } })).body).not.toHaveProperty("mergedInto");
  });

  it("a merge is recognized by where the lines went, never by a reason or reference that looks like one [OP-540]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    for (const [name, line] of Object.entries({ "C/1": tea, "C/2, left": tea, "C/3": cake })) {
      await upsert(terminal, name, 0, { orderType: "takeout", lines: [line] });
    }
    const reason = "merged into the bin, guest left";
    await terminal.change({ type: "ORDER_DISCARD", posReference: "C/1", baseVersion: 1, reason });
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "C/2, left", baseVersion: 1, snapshot: { orderType: "takeout", lines: [tea, cake] } },
        { posReference: "C/3", baseVersion: 1, snapshot: { orderType: "takeout", lines: [] } },
      ],
    });
    const detailOf = async (posReference: string) => (await call("order", { params: { posReference } })).body;
    const lastOf = async (posReference: string) =>
      (await call("orderVersions", { params: { posReference } })).body.versions.at(-1);
    expect(await detailOf("C/1")).not.toHaveProperty("mergedInto");
    expect(await lastOf("C/1")).toMatchObject({ kind: "discarded", reason });
    expect(await detailOf("C/3")).toMatchObject({ mergedInto: ["C/2, left"] });
    expect(await lastOf("C/3")).toMatchObject({ kind: "discarded", mergedInto: ["C/2, left"] });
  });

  it("an order's timeline has the fiscal number, a payment's terminal and a ticket's station [OP-142, OP-144]", async () => {
    const stations = [{ id: "bar", name: "Bar", categoryIds: [], productIds: [103] }];
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify(stations) } });
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    await upsert(terminal, "C/1", 0, { orderType: "takeout", lines: [{ ...tea, name: "Té" }] });
    await terminal.change({ type: "ORDER_SEND", posReference: "C/1" });
    const tenderId = crypto.randomUUID();
    const payment = { methodId: 1, amount: 80, tendered: 100, change: 20, tip: 5 };
    await terminal.change({
      type: "ORDER_TENDER",
      posReference: "C/1",
      tenderId,
      ...payment,
      fiscal: { type: "B02" },
    });
    const params = { posReference: "C/1" };
    const entriesOf = async () => (await call("orderTimeline", { params })).body.entries;
    await expect.poll(entriesOf).toContainEqual(
      expect.objectContaining({
        kind: "version",
        version: expect.objectContaining({
          fiscal: expect.objectContaining({ status: "assigned", type: "B02", ncf: expect.stringMatching(/^B02/) }),
        }),
      }),
    );
    const entries = await entriesOf();
    expect(entries).toContainEqual(expect.objectContaining({ kind: "ticket_sent", stationName: "Bar" }));
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "payment", terminalId: "till", tendered: 100, change: 20, tip: 5 }),
    );
    await upsert(terminal, "C/2", 0, { orderType: "takeout", lines: [{ ...tea, name: "Té" }] });
    await upsert(terminal, "C/2", 1, { orderType: "takeout", lines: [{ ...tea, name: "Té", quantity: 1, total: 40 }] });
    const { versions } = (await call("orderVersions", { params: { posReference: "C/2" } })).body;
    const item = { dish: { productId: "103", name: "Té" } };
    const quantity = { item, before: { number: 2 }, after: { number: 1 } };
    expect(versions[1].facts).toContainEqual({ fact: "quantity", values: quantity });
  });
});
