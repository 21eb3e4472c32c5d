import { DAY_MS } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { broadcastOrder as received } from "../support/broadcast-order.ts";
import { until } from "../support/until.ts";

const upsert = (posReference: string, baseVersion: number, fields: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot: terminalSnapshot(fields),
});

describe("writes", () => {
  it("a first write creates an order, is broadcast and answered [ORDER-1, ORDER-18, ORDER-59]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "till-1" });
    const other = await hub.terminal({ login: "cashier", deviceId: "till-2" });
    const mutationId = crypto.randomUUID();
    const ack = await terminal.change({ ...upsert("A/1 ñ", 0, { customerName: "Ana" }), mutationId, requestId: "r" });
    expect(ack).toEqual({ type: "ORDER_ACK", requestId: "r", mutationId, posReference: "A/1 ñ", version: 1, seq: 1 });
    const message = await other.next("ORDER_CHANGED");
    const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const menuCheck = expect.stringMatching(/^(below|unknown)$/);
    expect(message).toEqual({
      type: "ORDER_CHANGED",
      seq: 1,
      posReference: "A/1 ñ",
      version: 1,
      origin: "till-1",
      signature: expect.any(String),
      order: {
        posReference: "A/1 ñ",
        version: 1,
        tableId: null,
        terminalId: "till-1",
        createdAt: stamp,
        updatedAt: stamp,
        forward: { state: "none" },
        snapshot: {
          posReference: "A/1 ñ",
          status: "open",
          orderType: "takeout",
          tableId: null,
          guestCount: 1,
          staffName: terminal.hello.user.name,
          customerName: "Ana",
          checkNumber: null,
          ticketNumber: "T-001",
          createdAt: iso,
          updatedAt: iso,
          lines: [
            { id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 100, taxIds: [], taxAmount: 0, menuCheck },
          ],
          totals: { subtotal: 100, tax: 0, total: 100 },
        },
      },
    });
    expect(await terminal.next("ORDER_CHANGED")).toEqual(message);
  });

  it("a write replaces the order's content [ORDER-2]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change(upsert("A", 0, { notes: "no onions", color: "red" }));
    expect(await terminal.change(upsert("A", 1, { guestCount: 3 }))).toMatchObject({ version: 2, seq: 2 });
    const { snapshot } = await received(terminal, "A", 2);
    expect(snapshot.guestCount).toBe(3);
    expect(snapshot).not.toHaveProperty("notes");
    expect(snapshot).not.toHaveProperty("color");
  });

  it("unknown fields of an order are stored, and the hub's own fields in a write are ignored [ORDER-3]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    await terminal.change(
      upsert("A", 0, {
        loyalty: { card: 7 },
        status: "paid",
        checkNumber: 99,
        ticketNumber: "T-777",
        createdAt: "1999-01-01T00:00:00Z",
        payments: [{ methodId: 1, amount: 1 }],
        ncf: "B0100000001",
        version: 99,
        origin: "another",
        paidAt: "1999-01-01T00:00:00Z",
        paidBy: "nobody",
        lines: [
          {
            id: "a",
            quantity: 1,
            unitPrice: 5,
            seat: 2,
            kitchenSentAt: "2026-01-01T00:00:00Z",
            sentQuantity: 1,
            kitchenTicketId: "x",
          },
        ],
      }),
    );
    const { snapshot, version } = await received(terminal, "A", 1);
    expect(version).toBe(1);
    expect(snapshot).toMatchObject({ loyalty: { card: 7 }, status: "open", checkNumber: null, ticketNumber: "T-001" });
    expect(snapshot.lines).toEqual([
      { id: "a", quantity: 1, unitPrice: 5, seat: 2, total: 5, taxIds: [], taxAmount: 0, menuCheck: "unknown" },
    ]);
    for (const own of ["payments", "ncf", "version", "origin", "paidAt", "paidBy"]) {
      expect(snapshot).not.toHaveProperty(own);
    }
    expect(Date.parse(snapshot.createdAt)).toBeGreaterThan(Date.parse("2020-01-01"));
  });

  it("a mutation is applied once, whichever terminal repeats it and whenever [ORDER-4]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "one" });
    const mutation = { ...upsert("A", 0), mutationId: crypto.randomUUID() };
    const first = await terminal.change(mutation);
    await terminal.change(upsert("A", 1, { guestCount: 4 }));
    expect(await terminal.change({ ...mutation, requestId: "again", queuedAt: new Date().toISOString() })).toEqual({
      ...first,
      requestId: "again",
      duplicate: true,
    });
    await hub.restart();
    const later = await hub.terminal({ deviceId: "two" });
    expect(await later.change(mutation)).toEqual({ ...first, duplicate: true });
    expect(later.sync.orders).toMatchObject([{ version: 2, snapshot: { guestCount: 4 } }]);
  });

  it("a mutation that arrives twice at the same moment is applied once [ORDER-4]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutation = { ...upsert("A", 0), mutationId: crypto.randomUUID() };
    terminal.send(mutation);
    terminal.send(mutation);
    const answers = [await terminal.next("ORDER_ACK"), await terminal.next("ORDER_ACK")];
    expect(answers.map((answer) => [answer.version, answer.duplicate])).toEqual([
      [1, undefined],
      [1, true],
    ]);
  });

  it("a mutation is applied once in whatever case its id comes, and answered under that id [ORDER-4]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutationId = crypto.randomUUID();
    const mutation = { ...upsert("A", 0), mutationId };
    const first = await terminal.change({ ...mutation, mutationId: mutationId.toUpperCase() });
    expect(first).toMatchObject({ mutationId: mutationId.toUpperCase(), version: 1 });
    expect(await terminal.change(mutation)).toEqual({ ...first, mutationId, duplicate: true });
    expect(await refusal(terminal.change({ ...mutation, posReference: "B" }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      mutationId,
    });
  });

  it("other content under a used mutationId is refused, but another order of keys is accepted [ORDER-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutation = { ...upsert("A", 0, { a: 1, b: { c: 2, d: 3 } }), mutationId: crypto.randomUUID() };
    await terminal.change(mutation);
    expect(await refusal(terminal.change({ ...mutation, snapshot: terminalSnapshot({ a: 2 }) }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      posReference: "A",
    });
    const { snapshot, ...rest } = { ...mutation, snapshot: { b: { d: 3, c: 2 }, a: 1, ...terminalSnapshot() } };
    expect(await terminal.change({ snapshot, ...rest })).toMatchObject({ duplicate: true });
  });

  it("a list is other content than an object of the same texts and values [ORDER-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutationId = crypto.randomUUID();
    const withTags = (tags: unknown) => terminal.change({ ...upsert("A", 0, { tags }), mutationId });
    await withTags({ a: 1, b: {} });
    for (const tags of [["a", 1, "b", {}], { a: 1, b: [] }]) {
      expect(await refusal(withTags(tags))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    }
    expect(await withTags({ b: {}, a: 1 })).toMatchObject({ duplicate: true });
  });

  it("a mutation that was refused may be accepted later [ORDER-6]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    await one.change(upsert("A", 0));
    one.send({ type: "LEASE_ACQUIRE", posReference: "A" });
    await one.next("LEASE_GRANTED");
    const mutation = { ...upsert("A", 1, { guestCount: 2 }), mutationId: crypto.randomUUID() };
    expect(await refusal(two.change(mutation))).toMatchObject({
      errorCode: "LEASE_HELD",
      retryable: true,
      posReference: "A",
    });
    one.send({ type: "LEASE_RELEASE", posReference: "A" });
    await one.next("LEASE_RELEASED");
    expect(await two.change(mutation)).toMatchObject({ version: 2 });
  });

  it("a mutation queued before the hub's memory begins is refused, by the terminal's corrected clock [ORDER-7]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const now = clock.world.clock.now();
    const at = (ms: number) => new Date(ms).toISOString();
    const terminal = await hub.terminal();
    expect(await refusal(terminal.change({ ...upsert("A", 0), queuedAt: at(now - 7 * DAY_MS - 1_000) }))).toMatchObject(
      {
        errorCode: "MUTATION_TOO_OLD",
        retryable: false,
      },
    );
    expect(await terminal.change({ ...upsert("A", 0), queuedAt: at(now - 7 * DAY_MS + 1_000) })).toMatchObject({
      version: 1,
    });
    terminal.send({ type: "HEARTBEAT", clientTime: at(now - 30 * DAY_MS) });
    await terminal.next("HEARTBEAT_ACK");
    expect(await terminal.change({ ...upsert("B", 0), queuedAt: at(now - 31 * DAY_MS) })).toMatchObject({ version: 1 });
    expect(await refusal(terminal.change({ ...upsert("C", 0), queuedAt: at(now - 38 * DAY_MS) }))).toMatchObject({
      errorCode: "MUTATION_TOO_OLD",
    });
  });

  it.each([["EXT/K-000001"], [""], ["x".repeat(129)], ["a\nb"]])(
    "the new reference %j is refused [ORDER-8]",
    async (posReference) => {
      const hub = await startTestHub();
      const terminal = await hub.terminal();
      expect(await refusal(terminal.change(upsert(posReference, 0)))).toMatchObject({ errorCode: "VALIDATION_ERROR" });
    },
  );

  it("a write conflicts with what others wrote since, not with the terminal's own writes [ORDER-9, ORDER-10]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    await one.change(upsert("A", 0));
    await one.change(upsert("A", 1));
    expect(await one.change(upsert("A", 1))).toMatchObject({ version: 3 });
    expect(await refusal(two.change(upsert("A", 1)))).toMatchObject({
      errorCode: "CONFLICT",
      posReference: "A",
      retryable: false,
      hubVersion: 3,
      snapshot: { posReference: "A", status: "open" },
    });
    expect(await refusal(one.change(upsert("A", 4)))).toMatchObject({ errorCode: "CONFLICT", hubVersion: 3 });
    expect(await two.change(upsert("A", 3))).toMatchObject({ version: 4 });
    expect(await refusal(one.change(upsert("A", 3)))).toMatchObject({ errorCode: "CONFLICT", hubVersion: 4 });
  });

  it("a second creation of a reference by another terminal is refused [ORDER-9]", async () => {
    const hub = await startTestHub();
    const terminals = await Promise.all(["a", "b", "c", "d"].map((deviceId) => hub.terminal({ deviceId })));
    const outcomes = await Promise.allSettled(terminals.map((terminal) => terminal.change(upsert("SAME", 0))));
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  });

  it("a write does not conflict with the kitchen's changes [ORDER-10]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const kitchen = await hub.terminal({ login: "cashier", deviceId: "kitchen" });
    await waiter.change(upsert("A", 0));
    const { kitchenTicketId } = await kitchen.change({ type: "ORDER_SEND", posReference: "A" });
    await kitchen.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "grill" });
    await kitchen.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "a", preparedQuantity: 1 });
    expect(await waiter.change(upsert("A", 1, { guestCount: 9 }))).toMatchObject({ version: 5 });
  });

  it("a write needs no lease, but is refused while another terminal has it [ORDER-11]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ login: "cashier", deviceId: "one" });
    const two = await hub.terminal({ login: "manager", deviceId: "two" });
    await two.change(upsert("A", 0));
    one.send({ type: "LEASE_ACQUIRE", posReference: "A" });
    await one.next("LEASE_GRANTED");
    const writes = [
      upsert("A", 1),
      { type: "ORDER_SEND", posReference: "A" },
      { type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 1 },
      { type: "ORDER_DISCARD", posReference: "A", baseVersion: 1 },
      { type: "ORDER_BATCH", orders: [{ posReference: "A", baseVersion: 1, snapshot: terminalSnapshot() }] },
    ];
    for (const each of writes) {
      expect(await refusal(two.change(each))).toMatchObject({ errorCode: "LEASE_HELD", retryable: true });
    }
    expect(await one.change({ type: "ORDER_SEND", posReference: "A" })).toMatchObject({ version: 2 });
  });

  it("a change of an unknown order gets NOT_FOUND, and a discarded order never comes back [ORDER-12]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    expect(await refusal(till.change(upsert("A", 3)))).toMatchObject({ errorCode: "NOT_FOUND", posReference: "A" });
    await till.change(upsert("A", 0));
    await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 1 });
    expect(await refusal(till.change(upsert("A", 0)))).toMatchObject({ errorCode: "ORDER_LOCKED" });
    expect(await refusal(till.change(upsert("A", 1)))).toMatchObject({ errorCode: "NOT_FOUND" });
    for (const type of ["ORDER_SEND", "ORDER_CHECKOUT", "ORDER_DISCARD"]) {
      expect(await refusal(till.change({ type, posReference: "A", baseVersion: 1 }))).toMatchObject({
        errorCode: "NOT_FOUND",
      });
    }
  });

  it("no order can be opened while the POS session is closed, but open ones can be changed [ORDER-13]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    const till = await hub.terminal({ login: "cashier" });
    await till.change(upsert("A", 0));
    await until("the session to be read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    await hub.backOffice.control("POST", "/session", { open: false });
    await till.next("SESSION_CHANGED", (message) => !message.session.active);
    expect(await refusal(till.change(upsert("B", 0)))).toMatchObject({
      errorCode: "NO_ACTIVE_SESSION",
      retryable: true,
    });
    expect(await till.change(upsert("A", 1))).toMatchObject({ version: 2 });
    await hub.backOffice.control("POST", "/session", { open: true });
  });

  it("takeout and delivery orders are numbered by day, never twice [ORDER-14]", async () => {
    const clock = manualClock(new Date(2026, 10, 20, 12).getTime());
    const hub = await startTestHub({ world: clock.world });
    const till = await hub.terminal({ login: "cashier" });
    const number = async (posReference: string, orderType: string) => {
      await till.change(upsert(posReference, 0, { orderType }));
      return (await received(till, posReference, 1)).snapshot.ticketNumber;
    };
    expect(await number("1", "takeout")).toBe("T-001");
    expect(await number("2", "delivery")).toBe("D-001");
    expect(await number("3", "takeout")).toBe("T-002");
    expect(await number("4", "dine_in")).toBeUndefined();
    await refusal(till.change(upsert("EXT/x", 0)));
    clock.jumpWall(DAY_MS);
    expect(await number("5", "takeout")).toBe("T-001");
    clock.jumpWall(-DAY_MS);
    expect(await number("6", "takeout")).toBe("T-003");
    await till.change(upsert("6", 1));
    expect((await received(till, "6", 2)).snapshot.ticketNumber).toBe("T-003");
    // A dine-in order has no ticket number.
    await till.change(upsert("6", 2, { orderType: "dine_in" }));
    expect((await received(till, "6", 3)).snapshot.ticketNumber).toBeUndefined();
    await till.change(upsert("6", 3, { orderType: "takeout" }));
    expect((await received(till, "6", 4)).snapshot.ticketNumber).toBe("T-004");
  });

  it("missing totals are computed, and given ones are stored [ORDER-15]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    const lines = [
      { id: "a", quantity: 3, unitPrice: 0.1, taxAmount: 0.05 },
      { id: "b", quantity: 1, unitPrice: 0.7 },
      { id: "c", quantity: 1, unitPrice: 9, voided: true },
    ];
    await till.change(upsert("A", 0, { lines }));
    expect((await received(till, "A", 1)).snapshot.totals).toEqual({ subtotal: 0.95, tax: 0.05, total: 1 });
    await till.change(upsert("A", 1, { lines, totals: { subtotal: 1, tax: 0, total: 1, tip: 3 } }));
    expect((await received(till, "A", 2)).snapshot.totals).toEqual({ subtotal: 1, tax: 0, total: 1, tip: 3 });
  });

  it("an order that is checked out, paid or closed is locked [ORDER-16]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "manager", deviceId: "till" });
    await till.change(upsert("A", 0));
    await till.change({ type: "ORDER_SEND", posReference: "A" });
    await till.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 2 });
    const writes = [
      upsert("A", 3),
      upsert("A", 1),
      { type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 3 },
      { type: "ORDER_DISCARD", posReference: "A", baseVersion: 3 },
    ];
    const check = async (hubVersion: number, status: string): Promise<void> => {
      for (const write of writes) {
        expect(await refusal(till.change(write))).toMatchObject({
          errorCode: "ORDER_LOCKED",
          retryable: false,
          hubVersion,
          snapshot: { status },
        });
      }
    };
    await check(3, "checkout");
    await till.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 3,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await received(till, "A", 5);
    await check(5, "closed");
    expect(await refusal(till.change({ type: "ORDER_REOPEN", posReference: "A", baseVersion: 5 }))).toMatchObject({
      errorCode: "ORDER_LOCKED",
    });
  });

  it("pluginData is merged by namespace [ORDER-17]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await till.change(upsert("A", 0, { pluginData: { reservations: { key: "r1" }, loyalty: { points: 1 } } }));
    await till.change(upsert("A", 1, { pluginData: { loyalty: { points: 2 } } }));
    expect((await received(till, "A", 2)).snapshot.pluginData).toEqual({
      reservations: { key: "r1" },
      loyalty: { points: 2 },
    });
    await till.change(upsert("A", 2));
    await till.change(upsert("A", 3, { pluginData: { reservations: {} } }));
    expect((await received(till, "A", 4)).snapshot.pluginData).toEqual({ loyalty: { points: 2 } });
    await till.change(upsert("A", 4, { pluginData: { loyalty: {} } }));
    expect((await received(till, "A", 5)).snapshot).not.toHaveProperty("pluginData");
  });
});

describe("batches", () => {
  it("a batch is stored whole or not at all [ORDER-20]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ login: "cashier", deviceId: "one" });
    const two = await hub.terminal({ deviceId: "two" });
    await two.change(upsert("B", 0, { orderType: "dine_in", tableId: 2 }));
    await two.change(upsert("B", 1, { orderType: "dine_in", tableId: 2 }));
    const batch = {
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: 0, snapshot: terminalSnapshot({ orderType: "dine_in", tableId: 7 }) },
        { posReference: "B", baseVersion: 1, snapshot: terminalSnapshot() },
      ],
    };
    expect(await refusal(one.change(batch))).toMatchObject({ errorCode: "CONFLICT", posReference: "B", hubVersion: 2 });
    const next = await one.change(upsert("C", 0));
    expect(next.seq).toBe(
      two.received.filter((message) => message.type === "ORDER_CHANGED" || message.type === "TABLE_CHANGED").length +
        (await one.next("ORDER_CHANGED", (message) => message.posReference === "C"), 1),
    );
    const { sync } = await hub.terminal({ login: "manager", deviceId: "looks" });
    expect(sync.orders.map((order) => order.posReference).sort()).toEqual(["B", "C"]);
    expect(sync.tables.map((table) => table.tableId)).toEqual([2]);
    expect(sync.orders.find((order) => order.posReference === "C")?.snapshot.ticketNumber).toBe("T-001");
  });

  it("a batch is answered in the sequence of its orders [ORDER-21]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    await till.change(upsert("B", 0));
    const mutationId = crypto.randomUUID();
    const batch = {
      type: "ORDER_BATCH",
      mutationId,
      orders: ["C", "B"].map((posReference, i) => ({ posReference, baseVersion: i, snapshot: terminalSnapshot() })),
    };
    const ack = await till.change(batch);
    expect(ack).toEqual({
      type: "ORDER_ACK",
      mutationId,
      orders: [
        { posReference: "C", version: 1, seq: 2 },
        { posReference: "B", version: 2, seq: 3 },
      ],
    });
    expect(await till.change(batch)).toEqual({ ...ack, duplicate: true });
  });

  it("a batch moves a line that the kitchen has, with its kitchen fields [ORDER-22]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    const lines = [
      { id: "beer", quantity: 4, unitPrice: 10 },
      { id: "soup", quantity: 1, unitPrice: 20 },
    ];
    await till.change(upsert("A", 0, { orderType: "dine_in", tableId: 4, lines }));
    const { kitchenTicketId } = await till.change({ type: "ORDER_SEND", posReference: "A" });
    await till.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "beer", preparedQuantity: 3 });
    await till.change({
      type: "ORDER_BATCH",
      orders: [
        {
          posReference: "A",
          baseVersion: 1,
          snapshot: terminalSnapshot({
            orderType: "dine_in",
            tableId: 4,
            lines: [{ id: "beer", quantity: 2, unitPrice: 10 }],
          }),
        },
        {
          posReference: "B",
          baseVersion: 0,
          snapshot: terminalSnapshot({
            orderType: "dine_in",
            tableId: 4,
            lines: [
              { id: "beer", quantity: 2, unitPrice: 10 },
              { id: "soup", quantity: 1, unitPrice: 20 },
            ],
          }),
        },
      ],
    });
    const remaining = await received(till, "A", 4);
    const moved = await received(till, "B", 1);
    expect(remaining.snapshot).toMatchObject({ status: "sent", checkNumber: 1, totals: { total: 20 } });
    expect(remaining.snapshot.lines).toMatchObject([
      { id: "beer", quantity: 2, sentQuantity: 2, preparedQuantity: 2, kitchenTicketId },
    ]);
    expect(moved.snapshot).toMatchObject({ status: "sent", checkNumber: 2, totals: { total: 40 } });
    expect(moved.snapshot.lines).toMatchObject([
      { id: "beer", quantity: 2, sentQuantity: 2, preparedQuantity: 1, kitchenTicketId },
      { id: "soup", quantity: 1, sentQuantity: 1, preparedQuantity: 0, kitchenTicketId },
    ]);
    for (const posReference of ["A", "B"]) {
      expect(await till.change({ type: "ORDER_SEND", posReference })).not.toHaveProperty("kitchenTicketId");
    }
  });

  it("a batch that loses something the kitchen has is refused [ORDER-23]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "manager" });
    await till.change(upsert("A", 0, { lines: [{ id: "beer", quantity: 4, unitPrice: 10 }] }));
    const { kitchenTicketId } = await till.change({ type: "ORDER_SEND", posReference: "A" });
    // Once the kitchen has seen the ticket, nothing can be taken back.
    await till.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "bar" });
    const split = (remaining: number, moved: number) => ({
      type: "ORDER_BATCH",
      orders: [
        {
          posReference: "A",
          baseVersion: 3,
          snapshot: terminalSnapshot({
            lines: remaining === 0 ? [] : [{ id: "beer", quantity: remaining, unitPrice: 10 }],
          }),
        },
        {
          posReference: "B",
          baseVersion: 0,
          snapshot: terminalSnapshot({ lines: moved === 0 ? [] : [{ id: "beer", quantity: moved, unitPrice: 10 }] }),
        },
      ],
    });
    for (const [remaining, moved] of [
      [0, 3],
      [2, 1],
      [3, 0],
      [0, 0],
    ] as const) {
      expect(await refusal(till.change(split(remaining, moved)))).toMatchObject({
        errorCode: "SENT_LINES_IMMUTABLE",
        posReference: expect.stringMatching(/^[AB]$/),
      });
    }
    await till.change(split(0, 5));
    expect((await received(till, "B", 1)).snapshot).toMatchObject({
      status: "changed",
      lines: [{ quantity: 5, sentQuantity: 4 }],
    });
    expect(await till.next("ORDER_REMOVED")).toMatchObject({ posReference: "A", version: 4, mergedInto: ["B"] });
  });
});
