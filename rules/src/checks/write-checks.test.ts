import type { TerminalSnapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { type Actor, createRestaurant, type RestaurantOptions } from "../../test/restaurant.ts";
import type { HubKnowledge } from "../context.ts";
import { seatedSince } from "./seated-since.ts";

const waiter: Actor = { terminalId: "tablet" };
const steak = { id: "steak", quantity: 1, productId: 1, unitPrice: 850 };

function knowing(hub: Partial<HubKnowledge>): RestaurantOptions {
  const noKnowledge: HubKnowledge = {
    otherHolder: () => null,
    hasOtherWriter: () => false,
    hasKeptMoney: () => false,
    ticketNumber: () => undefined,
    formerRate: () => null,
    checkOfParty: () => null,
  };
  return { hub: { ...noKnowledge, ...hub } };
}

/** A restaurant with one check at table 5. */
function open(options: RestaurantOptions = {}) {
  const restaurant = createRestaurant(options);
  const upsert = (
    posReference: string,
    snapshot: TerminalSnapshot,
    by: Actor = waiter,
    baseVersion = restaurant.versionOf(posReference),
  ) => restaurant.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot }, by);
  expect(upsert("A", { orderType: "dine_in", tableId: 5, lines: [steak] })).toBeNull();
  return { restaurant, upsert };
}

describe("a write of checks", () => {
  it("a write keeps what it leaves out, and the hub completes the check [RULE-24]", () => {
    const { restaurant, upsert } = open();
    upsert("A", { guestCount: 4 });
    expect(restaurant.state.order("A")).toMatchObject({
      version: 2,
      snapshot: {
        status: "open",
        tableId: 5,
        checkNumber: 1,
        guestCount: 4,
        staffName: "tablet",
        lines: [{ id: "steak", total: 850, taxIds: [], taxAmount: 0 }],
        totals: { subtotal: 850, tax: 0, total: 850 },
      },
    });
  });

  it("a party is not seated twice, even by two new checks in one write, unless requested [TABLE-24]", () => {
    const party = (tableId: number, key: string): TerminalSnapshot => ({
      orderType: "dine_in",
      tableId,
      lines: [],
      pluginData: { reservations: { key } },
    });
    const both = (
      { restaurant }: ReturnType<typeof open>,
      keys: [string, string],
      more: { additionalCheck?: true } = {},
    ) =>
      restaurant.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", baseVersion: 0, snapshot: party(6, keys[0]) },
          { posReference: "C", baseVersion: 0, snapshot: party(7, keys[1]) },
        ],
        ...more,
      });
    const first = open();
    const seated = { code: "PARTY_SEATED", values: { posReference: "B", checkNumber: 1 } };
    expect(both(first, ["almonte", "almonte"])).toEqual(seated);
    expect(first.restaurant.state.order("B")).toBeNull();
    expect(both(first, ["almonte", "almonte"], { additionalCheck: true })).toBeNull();
    expect(both(open(), ["almonte", "peralta"])).toBeNull();
  });

  it("a check that is split off or receives a merge keeps the time since when its party sits [RULE-30]", () => {
    const { restaurant } = open();
    const snapshotOf = (posReference: string) => {
      const order = restaurant.state.order(posReference);
      if (order === null) throw new Error(`no check ${posReference}`);
      return order.snapshot;
    };
    const since = (posReference: string) => seatedSince(snapshotOf(posReference));
    const write = (orders: { posReference: string; snapshot: TerminalSnapshot }[]) =>
      restaurant.change({
        type: "ORDER_BATCH",
        orders: orders.map((order) => ({ ...order, baseVersion: restaurant.versionOf(order.posReference) })),
      });
    const seated = since("A");
    const rum = { id: "rum", quantity: 1, productId: 2, unitPrice: 250 };
    restaurant.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 1, snapshot: { lines: [steak, rum] } });
    restaurant.advance(40 * 60_000);
    // A whole line moves to another table, keeping its id; then a part of it moves on.
    write([
      { posReference: "B", snapshot: { orderType: "dine_in", tableId: 6, lines: [rum], seatedAt: "1999-01-01" } },
      { posReference: "A", snapshot: { lines: [steak] } },
    ]);
    restaurant.advance(5 * 60_000);
    write([
      { posReference: "C", snapshot: { tableId: 7, lines: [{ ...rum, id: "half", quantity: 0.5, splitOf: "rum" }] } },
      { posReference: "B", snapshot: { lines: [{ ...rum, quantity: 0.5 }] } },
    ]);
    expect([since("B"), since("C")]).toEqual([seated, seated]);
    expect(restaurant.state.order("C")?.snapshot.createdAt).not.toBe(seated);

    const later = restaurant.change({
      type: "ORDER_UPSERT",
      posReference: "D",
      baseVersion: 0,
      snapshot: { tableId: 8 },
    });
    const own = since("D");
    const beer = { id: "beer", quantity: 1, productId: 3, unitPrice: 200 };
    // A dish that joins another party does not change its time; a merge does.
    write([
      { posReference: "D", snapshot: { lines: [beer, { ...rum, quantity: 0.5 }] } },
      { posReference: "B", snapshot: { lines: [{ ...beer, id: "more" }] } },
    ]);
    expect([later, own === seated, since("D")]).toEqual([null, false, own]);
    write([
      { posReference: "D", snapshot: { lines: [beer, { ...rum, quantity: 0.5 }, { ...beer, id: "more" }] } },
      { posReference: "B", snapshot: { lines: [] } },
    ]);
    expect([restaurant.state.order("B"), since("D")]).toEqual([null, seated]);
  });

  interface Case {
    what: string;
    first?: (at: ReturnType<typeof open>) => unknown;
    act: (at: ReturnType<typeof open>) => unknown;
    refusal: object;
  }
  const cases: Case[] = [
    {
      what: "a new check on a table that has one",
      act: ({ upsert }) => upsert("B", { orderType: "dine_in", tableId: 5 }),
      refusal: { code: "TABLE_TAKEN", values: { tableId: 5, posReference: "A", checkNumber: 1 } },
    },
    {
      what: "a check that is not there",
      act: ({ upsert }) => upsert("B", {}, waiter, 3),
      refusal: { code: "NO_ORDER", values: { posReference: "B" } },
    },
    {
      what: "a reference of the hub's",
      act: ({ upsert }) => upsert("EXT/1", {}),
      refusal: { code: "RESERVED_REFERENCE", values: { prefix: "EXT/" } },
    },
    {
      what: "a check that was discarded",
      first: ({ restaurant }) => restaurant.discard("A"),
      act: ({ upsert }) => upsert("A", {}),
      refusal: { code: "WAS_REMOVED", values: { posReference: "A" } },
    },
    {
      what: "a check that is checked out",
      first: ({ restaurant }) => restaurant.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 1 }),
      act: ({ upsert }) => upsert("A", { guestCount: 2 }),
      refusal: { code: "LOCKED", values: { posReference: "A", status: "checkout" } },
    },
    {
      what: "a version that there is not yet",
      act: ({ upsert }) => upsert("A", {}, waiter, 9),
      refusal: { code: "MOVED_ON", values: { posReference: "A", version: 1, baseVersion: 9 } },
    },
    {
      what: "a total that its lines do not add up to",
      act: ({ upsert }) => upsert("A", { totals: { subtotal: 1, tax: 0, total: 1 } }),
      refusal: { code: "WRONG_TOTAL", values: { total: 1, added: 850 } },
    },
    {
      what: "joined tables of which the main one is another",
      act: ({ upsert }) => upsert("A", { tableId: 9, tableIds: [6, 7] }),
      refusal: { code: "MAIN_TABLE_FIRST", values: { main: 6, tableId: 9 } },
    },
    {
      what: "a line that costs more than anything may",
      act: ({ upsert }) => upsert("A", { lines: [{ ...steak, quantity: 100_000, unitPrice: 100_000 }] }),
      refusal: { code: "AMOUNT_TOO_LARGE", values: { field: "snapshot.lines.0.total", amount: 10_000_000_000 } },
    },
    {
      what: "a waiter's lower price",
      act: ({ upsert }) => upsert("A", { lines: [{ ...steak, unitPrice: 800 }] }),
      refusal: { code: "DISCOUNT", values: { lineId: "steak", reason: "lower_price" } },
    },
    {
      what: "a new check while the session is closed",
      first: ({ restaurant }) => restaurant.closeSession(),
      act: ({ upsert }) => upsert("B", {}),
      refusal: { code: "NO_NEW_CHECKS", values: { why: "session_closed" } },
    },
    {
      what: "to discard as a waiter what the kitchen has",
      first: ({ restaurant }) => restaurant.send("A"),
      act: ({ restaurant }) => restaurant.discard("A", waiter),
      refusal: { code: "DISCARD_NEEDS_CASHIER", values: { why: "kitchen" } },
    },
    {
      what: "to reopen what is not checked out",
      act: ({ restaurant }) => restaurant.change({ type: "ORDER_REOPEN", posReference: "A", baseVersion: 1 }),
      refusal: { code: "NOT_CHECKED_OUT", values: { status: "open" } },
    },
  ];
  for (const { what, first, act, refusal } of cases) {
    it(`a write refuses ${what}, and changes nothing [RULE-24]`, () => {
      const at = open();
      first?.(at);
      const before = JSON.stringify([at.restaurant.orders(), at.restaurant.tickets()]);
      expect(act(at)).toEqual(refusal);
      expect(JSON.stringify([at.restaurant.orders(), at.restaurant.tickets()])).toBe(before);
    });
  }

  it("a write is refused for another terminal's lease or a version that others have changed since [RULE-24]", () => {
    let lease: { userName: string; terminalId: string } | null = null;
    let hasOthers = false;
    const { restaurant, upsert } = open(knowing({ otherHolder: () => lease, hasOtherWriter: () => hasOthers }));
    expect(upsert("A", { guestCount: 2 })).toBeNull();
    expect(upsert("A", { guestCount: 3 }, waiter, 1)).toBeNull();
    hasOthers = true;
    expect(upsert("A", { guestCount: 4 }, waiter, 1)).toMatchObject({ code: "MOVED_ON" });
    lease = { userName: "Bea", terminalId: "two" };
    expect(upsert("A", { guestCount: 4 })).toEqual({ code: "LEASED", values: { posReference: "A", ...lease } });
    expect(restaurant.send("A")).toMatchObject({ code: "LEASED" });
    expect(restaurant.versionOf("A")).toBe(3);
  });

  it("a check whose lines went to another check of the write is removed, one that is only emptied stays [RULE-24]", () => {
    const { restaurant } = open();
    expect(restaurant.write({ B: [steak], A: [] })).toBeNull();
    expect(restaurant.state.wasRemoved("A")).toBe(true);
    expect(restaurant.write({ B: [] })).toBeNull();
    expect(restaurant.state.order("B")?.snapshot.lines).toEqual([]);
  });

  it("a batch writes all checks or none [RULE-24]", () => {
    const { restaurant } = open();
    restaurant.write({ B: [{ id: "soup" }] });
    restaurant.send("B");
    restaurant.advance(60_000);
    const before = JSON.stringify([restaurant.orders(), restaurant.tickets()]);
    expect(restaurant.write({ A: [steak, { id: "juice" }], B: [] })).toMatchObject({ code: "SENT_LINE_REMOVED" });
    expect(JSON.stringify([restaurant.orders(), restaurant.tickets()])).toBe(before);
  });

  it("an edit that changes no line leaves a check with a voided dish sent [ORDER-172]", () => {
    const { restaurant } = open();
    const voided = { ...steak, quantity: 2, voidedQuantity: 1, voidReason: "frío" };
    restaurant.write({ A: [{ ...steak, quantity: 2 }] });
    restaurant.send("A");
    restaurant.write({ A: [voided] });
    restaurant.send("A");
    const status = () => restaurant.state.order("A")?.snapshot.status;
    expect(status()).toBe("sent");
    restaurant.write({ A: [voided] });
    expect(status()).toBe("sent");
    // Another system's terminal may send back every field that it got.
    const { lines = [] } = restaurant.state.order("A")?.snapshot ?? {};
    expect(lines).toMatchObject([{ voidedBy: "tablet" }]);
    restaurant.write({ A: [...lines] });
    expect(status()).toBe("sent");
  });

  it("a voided line names who approved or made its last void, through edits, splits and moves [ORDER-172]", () => {
    const { restaurant } = open();
    const rum = { id: "rum", quantity: 3, productId: 2, unitPrice: 250 };
    const by = (approvedBy?: string) => ({ terminalId: "Ana", mayVoid: true, ...(approvedBy && { approvedBy }) });
    restaurant.write({ A: [steak, rum] });
    const voided = { ...rum, voidedQuantity: 2, voidReason: "frío" };
    restaurant.write({ A: [{ ...steak, voided: true, voidedBy: "nadie" }, voided] }, by("Rosa"));
    const names = (posReference: string) =>
      restaurant.state.order(posReference)?.snapshot.lines.map(({ voidedBy = null }) => voidedBy);
    expect(names("A")).toEqual(["Rosa", "Rosa"]);
    // A terminal sends none of the hub's fields back.
    restaurant.write(
      {
        A: [
          { ...steak, voided: true },
          { ...voided, note: "doble" },
        ],
      },
      by(),
    );
    expect(names("A")).toEqual(["Rosa", "Rosa"]);
    const half = { ...rum, id: "half", quantity: 1, splitOf: "rum", voided: true };
    restaurant.write({ A: [{ ...rum, quantity: 2, voidedQuantity: 1 }], B: [{ ...steak, voided: true }, half] }, by());
    expect([names("A"), names("B")]).toEqual([["Rosa"], ["Rosa", "Rosa"]]);
    restaurant.write({ A: [{ ...rum, quantity: 2, voided: true, comp: true }] }, by());
    restaurant.write(
      {
        B: [
          { ...steak, voided: true, comp: true },
          { ...half, voided: false },
        ],
      },
      by("Pedro"),
    );
    expect([names("A"), names("B")]).toEqual([["Ana"], ["Pedro", null]]);
  });

  it("another product on a sent line is another dish, and the kitchen must still let the former one go [KIT-484]", () => {
    const { restaurant } = open();
    restaurant.write({ B: [{ id: "soup", productId: 1 }] }, waiter);
    restaurant.send("B", { by: waiter });
    expect(restaurant.write({ B: [{ id: "soup", productId: 2 }] }, waiter)).toBeNull();
    expect(restaurant.line("B", "soup")).not.toHaveProperty("sentQuantity");
    restaurant.send("B", { by: waiter });
    expect(
      restaurant.ticketsOf("B").map(({ lines }) => lines.map(({ productId, state }) => [productId, state])),
    ).toEqual([[[1, "cancelled"]], [[2, "unseen"]]]);
    restaurant.advance(60_000);
    for (const by of [waiter, { ...waiter, mayVoid: true }]) {
      expect(restaurant.write({ B: [{ id: "soup", productId: 3 }] }, by)).toMatchObject({ code: "SENT_LINE_REMOVED" });
    }
    const part = { id: "half", quantity: 0.5, productId: 3, splitOf: "soup" };
    const split = [{ id: "soup", quantity: 0.5, productId: 2 }, part];
    expect(restaurant.write({ B: split })).toMatchObject({ code: "SENT_LINE_LOWERED" });
    expect(restaurant.write({ B: [{ id: "soup", productId: "2", note: "hot" }] }, waiter)).toBeNull();
  });

  it("a sent line that never had a product gets none: a product is another dish [KIT-535]", () => {
    const { restaurant } = open();
    restaurant.write({ C: [{ id: "special" }] }, waiter);
    expect(restaurant.write({ C: [{ id: "special", productId: 8 }] }, waiter)).toBeNull();
    expect(restaurant.write({ C: [{ id: "special" }] }, waiter)).toBeNull();
    restaurant.send("C", { by: waiter });
    restaurant.advance(60_000);
    for (const by of [waiter, { ...waiter, mayVoid: true }]) {
      expect(restaurant.write({ C: [{ id: "special", productId: 9 }] }, by)).toMatchObject({
        code: "SENT_LINE_REMOVED",
      });
    }
    const part = { id: "half", quantity: 0.5, productId: 9, splitOf: "special" };
    expect(restaurant.write({ C: [{ id: "special", quantity: 0.5 }, part] })).toMatchObject({
      code: "SENT_LINE_LOWERED",
    });
    expect(restaurant.write({ C: [{ id: "special", note: "hot" }] }, waiter)).toBeNull();
  });

  it("a sent line that names no product keeps the product that the kitchen has [KIT-524]", () => {
    const { restaurant } = open();
    restaurant.write({ B: [{ id: "soup", productId: 1 }] });
    restaurant.send("B");
    restaurant.advance(60_000);
    expect(restaurant.write({ B: [{ id: "soup" }] })).toBeNull();
    expect(restaurant.line("B", "soup")).toMatchObject({ productId: 1 });
    expect(restaurant.write({ B: [{ id: "soup", productId: 2 }] })).toMatchObject({ code: "SENT_LINE_REMOVED" });
    const half = { id: "half", quantity: 0.5, splitOf: "soup" };
    expect(restaurant.write({ B: [{ id: "soup", quantity: 0.5 }, half] })).toBeNull();
    expect(restaurant.line("B", "half")).toMatchObject({ productId: 1, sentQuantity: 0.5 });
  });
});
