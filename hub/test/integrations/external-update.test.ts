import { describe, expect, it } from "vitest";
import { line, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { startTestHub, type Caller, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const at = (posReference: string): string => `/orders/${encodeURIComponent(posReference)}`;

async function createOrder(external: Caller, overrides: Record<string, unknown> = {}): Promise<string> {
  const lines = [line({ id: "a", quantity: 2 }), line({ id: "b" })];
  const { body } = await external.post(
    "/orders",
    takeoutOrder({ lines, totals: { subtotal: 200, tax: 36, total: 236 }, ...overrides }),
  );
  return body.posReference;
}

/** Creates callers with two different keys. */
async function twoWriters(hub: TestHub): Promise<[Caller, Caller]> {
  return [hub.external((await hub.createKey()).token), hub.external((await hub.createKey()).token)];
}

describe("changing an order", () => {
  it("a patch changes the named fields and nothing else [EXT-50][EXT-55]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const before = (await external.get(at(ref))).body;
    const { status, body } = await external.patch(at(ref), { baseVersion: 1, notes: "birthday", guestCount: 4 });
    expect(status).toBe(200);
    expect(body).toEqual({
      posReference: ref,
      version: 2,
      snapshot: { ...before.snapshot, notes: "birthday", guestCount: 4, updatedAt: expect.any(String) },
    });
    const named = await external.patch(at(ref), { baseVersion: 2, customerName: "" });
    expect(named.body).toMatchObject({ version: 3, snapshot: { customerName: "", notes: "birthday" } });
  });

  it("an empty patch and fields that cannot be changed are refused [EXT-51]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const bodies: [Record<string, unknown>, string][] = [
      [{ baseVersion: 1 }, "at least one"],
      [{ baseVersion: 1, pluginData: { reservations: { key: "r" } } }, "at least one"],
      [{ notes: "x" }, "baseVersion"],
      [{ baseVersion: 0, notes: "x" }, "baseVersion"],
      [{ baseVersion: 1.5, notes: "x" }, "baseVersion"],
      [{ baseVersion: "1", notes: "x" }, "baseVersion"],
      [{ baseVersion: 1, lines: [] }, "lines"],
      [{ baseVersion: 1, notes: "x".repeat(1001) }, "notes"],
      [{ baseVersion: 1, customerName: "x".repeat(121) }, "customerName"],
      [{ baseVersion: 1, guestCount: 0 }, "guestCount"],
      [{ baseVersion: 1, guestCount: 100_001 }, "guestCount"],
      ...["tableId", "orderType", "status", "payments", "totals", "staffName", "externalRef"].map(
        (key): [Record<string, unknown>, string] => [{ baseVersion: 1, notes: "x", [key]: 1 }, key],
      ),
    ];
    for (const [body, named] of bodies) {
      const answer = await external.patch(at(ref), body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error).toContain(named);
    }
    expect((await external.get(at(ref))).body.version).toBe(1);
  });

  it("a patch of a checked-out, paid or closed order is refused, also for a stale baseVersion [EXT-52]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const cashier = await hub.terminal({ login: "cashier" });
    const locked = { status: 409, body: { error: expect.any(String), errorCode: "ORDER_LOCKED" } };
    const refusedAt = async (...versions: number[]): Promise<void> => {
      for (const baseVersion of versions) {
        const { status, body } = await external.patch(at(ref), { baseVersion, notes: "x" });
        expect({ status, body }).toEqual(locked);
      }
    };
    await cashier.change({ type: "ORDER_CHECKOUT", posReference: ref, baseVersion: 1 });
    await refusedAt(1, 2, 99);
    const payments = [{ methodId: 1, amount: 236 }];
    await cashier.change({ type: "ORDER_PAY", posReference: ref, baseVersion: 2, payments });
    await refusedAt(1, 3);
    await until("closed", async () => (await external.get(at(ref))).body.snapshot.status === "closed");
    await refusedAt(1, 4);
  });

  it("a patch over another writer's version is a conflict with the current state [EXT-53]", async () => {
    const hub = await startTestHub();
    const [mine, other] = await twoWriters(hub);
    const ref = await createOrder(mine);
    expect((await other.patch(at(ref), { baseVersion: 1, notes: "theirs" })).body.version).toBe(2);
    const stored = (await mine.get(at(ref))).body;
    const { status, body } = await mine.patch(at(ref), { baseVersion: 1, notes: "mine" });
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: expect.any(String), errorCode: "CONFLICT", hubVersion: 2, snapshot: stored.snapshot },
    });
    expect((await mine.get(at(ref))).body).toEqual(stored);
    expect((await mine.patch(at(ref), { baseVersion: 2, notes: "mine" })).body.version).toBe(3);
    expect((await mine.patch(at(ref), { baseVersion: 4, notes: "early" })).body).toMatchObject({
      errorCode: "CONFLICT",
      hubVersion: 3,
    });
  });

  it("a writer's consecutive patches are accepted until another writer comes between [EXT-53]", async () => {
    const hub = await startTestHub();
    const [mine, other] = await twoWriters(hub);
    const ref = await createOrder(mine);
    const versions = [];
    for (const notes of ["1", "2", "3"])
      versions.push((await mine.patch(at(ref), { baseVersion: 1, notes })).body.version);
    expect(versions).toEqual([2, 3, 4]);
    expect((await other.patch(at(ref), { baseVersion: 3, notes: "x" })).body.errorCode).toBe("CONFLICT");
    await other.patch(at(ref), { baseVersion: 4, notes: "x" });
    await mine.patch(at(ref), { baseVersion: 5, notes: "4" });
    expect((await mine.patch(at(ref), { baseVersion: 4, notes: "5" })).body.errorCode).toBe("CONFLICT");
    expect((await mine.patch(at(ref), { baseVersion: 5, notes: "5" })).body.version).toBe(7);
  });

  it("a patch over a kitchen change is a conflict [EXT-53]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const terminal = await hub.terminal();
    await terminal.change({ type: "ORDER_SEND", posReference: ref });
    expect((await external.patch(at(ref), { baseVersion: 1, notes: "x" })).body).toMatchObject({
      errorCode: "CONFLICT",
      hubVersion: 2,
      snapshot: { status: "sent" },
    });
  });

  it("a patch keeps sent lines, and marks the order as changed when it adds lines [EXT-54][EXT-56]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const terminal = await hub.terminal({ login: "manager" });
    await terminal.change({ type: "ORDER_SEND", posReference: ref });
    await terminal.change({ type: "KITCHEN_BUMP", posReference: ref, lineId: "a", preparedQuantity: 1 });
    const before = (await external.get(at(ref))).body;
    const immutable: [string, Record<string, unknown>[]][] = [
      ["b", [line({ id: "a", quantity: 2 })]],
      ["a", [line({ id: "a", quantity: 1.99 }), line({ id: "b" })]],
      ["a", [line({ quantity: 2 }), line({ id: "b" })]],
      ["a", [line({ id: "a", quantity: 2, productId: "999" }), line({ id: "b" })]],
    ];
    for (const [id, lines] of immutable) {
      const refused = await external.patch(at(ref), { baseVersion: 3, lines });
      expect(refused).toMatchObject({ status: 409, body: { errorCode: "SENT_LINES_IMMUTABLE" } });
      expect(refused.body.error).toContain(`line ${id} `);
    }
    expect((await external.get(at(ref))).body).toEqual(before);
    const lines = [line({ id: "b", note: "well done" }), line({ id: "a", quantity: 3 }), line({ id: "c" })];
    const { body } = await external.patch(at(ref), { baseVersion: 3, lines });
    const kitchenOf = ({
      kitchenSentAt,
      sentQuantity,
      preparedQuantity,
      kitchenTicketId,
      kitchenItemStatus,
    }: Record<string, unknown>) => ({
      kitchenSentAt,
      sentQuantity,
      preparedQuantity,
      kitchenTicketId,
      kitchenItemStatus,
    });
    const [a, b] = before.snapshot.lines;
    expect(body.snapshot).toMatchObject({
      status: "changed",
      lines: [
        { ...kitchenOf(b), id: "b", note: "well done" },
        { ...kitchenOf(a), id: "a", quantity: 3, sentQuantity: 2, preparedQuantity: 1 },
        { id: "c" },
      ],
    });
    expect(body.snapshot.lines[2]).not.toHaveProperty("kitchenSentAt");
    const shown = await terminal.next("ORDER_CHANGED", (message) => message.version === 4);
    expect(shown.order.snapshot.status).toBe("changed");
  });

  it("a patch recomputes the totals from the lines without drift [EXT-55]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external);
    const lines = [
      line({ total: 0.1, taxAmount: 0.01 }),
      line({ total: 0.2, taxAmount: 0.02 }),
      line({ total: 0.7, taxAmount: undefined }),
    ];
    const { body } = await external.patch(at(ref), { baseVersion: 1, lines });
    expect(body.snapshot.totals).toEqual({ subtotal: 0.97, tax: 0.03, total: 1 });
    const tooMuch = [line({ total: 1e9 }), line({ total: 1e9 })];
    expect((await external.patch(at(ref), { baseVersion: 2, lines: tooMuch })).body.errorCode).toBe("VALIDATION_ERROR");
  });

  it("a patch leaves a terminal's void and discount on their lines [EXT-57]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const manager = await hub.terminal({ login: "manager" });
    const snapshot = terminalSnapshot({
      lines: [
        { id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 90, discount: 10 },
        { id: "b", productId: 102, quantity: 1, unitPrice: 50, total: 50 },
      ],
    });
    await manager.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    await manager.change({ type: "ORDER_SEND", posReference: "POS/1" });
    const voided = {
      ...snapshot,
      lines: (snapshot["lines"] as object[]).map((each, n) => (n === 1 ? { ...each, voided: true } : each)),
    };
    await manager.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 2, snapshot: voided });
    const lines = [
      line({ id: "a", quantity: 2, total: 90 }),
      line({ id: "b", productId: "102", total: 50 }),
      line({ id: "c", total: 10 }),
    ];
    const { body } = await external.patch(at("POS/1"), { baseVersion: 3, lines });
    expect(body.snapshot).toMatchObject({
      lines: [{ id: "a", discount: 10 }, { id: "b", voided: true }, { id: "c" }],
      totals: { total: 100 },
    });
  });

  it("another product on a line takes nothing from the terminal's dish that was there [EXT-142]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const manager = await hub.terminal({ login: "manager" });
    const coffee = {
      id: "a",
      productId: 101,
      quantity: 1,
      unitPrice: 50,
      total: 45,
      name: "Café",
      discount: { amount: 5 },
    };
    const snapshot = terminalSnapshot({ lines: [{ ...coffee, modifiers: [{ id: 1, name: "Con leche", price: 0 }] }] });
    await manager.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    const beer = line({ id: "a", productId: "102" });
    const { body } = await external.patch(at("POS/1"), { baseVersion: 1, lines: [beer] });
    expect(body.snapshot.lines).toEqual([beer]);
    await manager.change({ type: "ORDER_SEND", posReference: "POS/1" });
    const { ticket } = await manager.next("TICKET_CHANGED");
    expect(ticket.lines).toMatchObject([{ productId: "102", quantity: 1 }]);
    expect(ticket.lines[0]).not.toHaveProperty("modifiers");
    expect(ticket.lines[0]?.name).not.toBe("Café");
  });

  it("a patch leaves a sent line that never had a product without one, and can still change the check [EXT-150]", async () => {
    const hub = await startTestHub();
    const manager = await hub.terminal({ login: "manager" });
    const special = { id: "a", name: "Especial", quantity: 1, unitPrice: 50, total: 50 };
    const snapshot = terminalSnapshot({ lines: [special] });
    await manager.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    await manager.change({ type: "ORDER_SEND", posReference: "POS/1" });
    const lines = [line({ id: "a", productId: "102", unitPrice: 50, total: 50 }), line({ id: "b" })];
    const { status, body } = await hub.external().patch(at("POS/1"), { baseVersion: 2, lines });
    expect(status).toBe(200);
    expect(body.snapshot.lines).toMatchObject([{ id: "a", name: "Especial", sentQuantity: 1 }, { id: "b" }]);
    expect(body.snapshot.lines[0]).not.toHaveProperty("productId");
  });

  it("a check that a terminal wrote is read in the form in which a change is sent [EXT-151]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const waiter = await hub.terminal();
    const snapshot = terminalSnapshot({
      lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: 50, total: 50, taxIds: [1], note: null }],
    });
    await waiter.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 0, snapshot });
    const { body: read } = await external.get(at("POS/1"));
    const form = { customerName: null, notes: null, lines: [{ id: "a", productId: "101", taxIds: ["1"] }] };
    expect(read.snapshot).toMatchObject(form);
    const { menuCheck: _, ...sent } = read.snapshot.lines[0];
    const lines = [sent, line({ id: "b" })];
    const { status, body: conflict } = await external.patch(at("POS/1"), { baseVersion: 9, lines });
    expect(status).toBe(409);
    expect(conflict).toMatchObject({ errorCode: "CONFLICT", hubVersion: 1, snapshot: form });
    const { body: renamed } = await external.patch(at("POS/1"), { baseVersion: 1, guestCount: 3 });
    expect(renamed.snapshot).toMatchObject(form);
    const changed = await external.patch(at("POS/1"), { baseVersion: 2, lines });
    expect(changed).toMatchObject({ status: 200, body: { snapshot: { lines } } });
  });

  it("another note on a line that was sent reaches the kitchen [KIT-525]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const terminal = await hub.terminal();
    const ref = await createOrder(external, {
      lines: [line({ id: "a", note: "with onions" })],
      totals: { subtotal: 100, tax: 18, total: 118 },
    });
    await terminal.change({ type: "ORDER_SEND", posReference: ref });
    await external.patch(at(ref), { baseVersion: 2, lines: [line({ id: "a", note: "no onions" })] });
    const { ticket } = await terminal.next(
      "TICKET_CHANGED",
      (message) => message.ticket.lines[0]?.note === "no onions",
    );
    expect(ticket).toMatchObject({ posReference: ref, lines: [{ quantity: 1, state: "unseen" }] });
  });

  it("a lowered quantity takes away the voided part of a line first, except what was sent [EXT-143]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const manager = await hub.terminal({ login: "manager" });
    const change = (baseVersion: number, lines: unknown) =>
      manager.change({
        type: "ORDER_UPSERT",
        posReference: "POS/1",
        baseVersion,
        snapshot: terminalSnapshot({ lines }),
      });
    const patched = async (baseVersion: number, quantity: number) => {
      const lines = [line({ id: "a", productId: "101", quantity, unitPrice: 100, total: 100 * quantity })];
      const { body } = await external.patch(at("POS/1"), { baseVersion, lines });
      return [body.snapshot?.lines[0].voidedQuantity, body.snapshot?.totals.total ?? body.errorCode];
    };
    const beers = { id: "a", productId: 101, unitPrice: 100 };
    await change(0, [{ ...beers, quantity: 5, voidedQuantity: 3, total: 200 }]);
    expect(await patched(1, 4)).toEqual([2, 200]);
    expect(await patched(2, 1)).toEqual([0, 100]);
    await manager.change({ type: "ORDER_SEND", posReference: "POS/1" });
    await change(4, [{ ...beers, quantity: 3, voidedQuantity: 3, total: 0 }]);
    expect(await patched(5, 2)).toEqual([2, 0]);
    expect(await patched(6, 1)).toEqual([1, 0]);
    const { body } = await external.get(at("POS/1"));
    // A terminal can send back what it has received.
    await change(7, body.snapshot.lines);
  });

  it("a patch does not charge the voided part of a line again [EXT-99]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const manager = await hub.terminal({ login: "manager" });
    const beers = { id: "beers", productId: 101, quantity: 4, unitPrice: 100, total: 472, taxAmount: 72 };
    await manager.change({
      type: "ORDER_UPSERT",
      posReference: "POS/1",
      baseVersion: 0,
      snapshot: terminalSnapshot({ lines: [beers] }),
    });
    await manager.change({ type: "ORDER_SEND", posReference: "POS/1" });
    const remaining = { ...beers, voidedQuantity: 1, voidReason: "Caliente", total: 354, taxAmount: 54 };
    const snapshot = terminalSnapshot({ lines: [remaining] });
    await manager.change({ type: "ORDER_UPSERT", posReference: "POS/1", baseVersion: 2, snapshot });

    const patched = async (baseVersion: number, sent: object) => {
      const lines = [line({ id: "beers", productId: "101", unitPrice: 100, ...sent })];
      const { body } = await external.patch(at("POS/1"), { baseVersion, lines });
      const [stored] = body.snapshot.lines as { total: number; voidedQuantity: number }[];
      return [stored?.voidedQuantity, stored?.total, body.snapshot.totals];
    };
    const whole = { quantity: 4, total: 472, taxAmount: 72 };
    const remainingTotals = { subtotal: 300, tax: 54, total: 354 };
    expect(await patched(3, whole)).toEqual([1, 354, remainingTotals]);
    // The line as the caller has read it.
    expect(await patched(4, { ...whole, total: 354, taxAmount: 54 })).toEqual([1, 354, remainingTotals]);
    const five = { quantity: 5, total: 590, taxAmount: 90 };
    expect(await patched(5, five)).toEqual([1, 472, { subtotal: 400, tax: 72, total: 472 }]);
  });

  it("pluginData is merged by namespace, shown to terminals, and not forwarded [EXT-58]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const ref = await createOrder(external, { pluginData: { reservations: { key: "r-1" }, loyalty: { card: 7 } } });
    const terminal = await hub.terminal({ login: "cashier" });
    const patch = (baseVersion: number, pluginData: unknown) =>
      external.patch(at(ref), { baseVersion, notes: "x", pluginData });
    expect((await patch(1, { loyalty: { card: 8 } })).body.snapshot.pluginData).toEqual({
      reservations: { key: "r-1" },
      loyalty: { card: 8 },
    });
    expect((await patch(2, { loyalty: {} })).body.snapshot.pluginData).toEqual({ reservations: { key: "r-1" } });
    const shown = await terminal.next("ORDER_CHANGED", (message) => message.version === 3);
    expect(shown.order.snapshot.pluginData).toEqual({ reservations: { key: "r-1" } });
    const fresh = await hub.terminal({ deviceId: "other" });
    expect(fresh.sync.orders[0]?.snapshot.pluginData).toEqual({ reservations: { key: "r-1" } });
    await terminal.change({
      type: "ORDER_PAY",
      posReference: ref,
      baseVersion: 3,
      payments: [{ methodId: 1, amount: 236 }],
    });
    const forwarded = await until("forwarded", async () => {
      const { orders } = await hub.backOffice.control("GET", "/orders");
      return orders.find((each: { posReference: string }) => each.posReference === ref) as
        | { order: unknown }
        | undefined;
    });
    expect(JSON.stringify(forwarded.order)).not.toContain("pluginData");
  });

  it("a patch of an unknown order gets 404, and a patch needs no lease [EXT-59]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const missing = { status: 404, body: { errorCode: "NOT_FOUND" } };
    expect(await external.patch(at("POS/404"), { baseVersion: 1, notes: "x" })).toMatchObject(missing);
    const ref = await createOrder(external);
    const cashier = await hub.terminal({ login: "cashier" });
    cashier.send({ type: "LEASE_ACQUIRE", posReference: ref });
    await cashier.next("LEASE_GRANTED");
    expect((await external.patch(at(ref), { baseVersion: 1, notes: "x" })).status).toBe(200);
    await cashier.change({ type: "ORDER_DISCARD", posReference: ref, baseVersion: 2 });
    expect(await external.patch(at(ref), { baseVersion: 2, notes: "x" })).toMatchObject(missing);
    expect((await external.get(at(ref))).status).toBe(404);
  });
});
