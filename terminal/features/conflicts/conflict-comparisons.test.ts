import { checkToPay, type Conflict } from "@comanda/terminal";
import { expect, it } from "vitest";
import { conflictOf, content, edit, type Hub, hub, line, pay } from "../../test/conflict-of.ts";
import { broughtBy, textCode, comparisonsOf, isBillOut } from "./conflict-comparisons.ts";

it("a payment goes to the check with most of its dishes, unless its own check is due [TOUCH-495]", () => {
  const dishes = (...ids: string[]) => ids.map((id) => ({ ...line, id }));
  const payment = { ...pay, seen: { ...pay.seen, lines: dishes("a", "b", "c", "d") } };
  const check = (posReference: string, lines: object[], more: object = {}) =>
    ({ ...hub, posReference, snapshot: { ...hub.snapshot, lines, ...more } }) as unknown as Hub;
  const part = { ...line, id: "new", splitOf: "d" };
  const others = [
    check("one", dishes("a")),
    check("most", [...dishes("c"), part]),
    check("paid", dishes("a", "b", "c"), { status: "paid" }),
    check("settled", dishes("a", "b", "c"), { totals: { total: 0 } }),
    // Lines of other systems may have the same ids.
    check("strange", [...dishes("x"), ...["a", "b", "c"].map((id) => ({ ...line, id, productId: 2 }))]),
  ];
  const to = (order: Partial<Conflict["orders"][number]>, checks = others) =>
    checkToPay(conflictOf(payment, "NOT_FOUND", { order }), checks)?.posReference;
  expect([to({}), to({ hub: null }), to({ hub: check("A", [], { totals: { total: 0 } }) })]).toEqual([
    "A",
    "most",
    "most",
  ]);
  expect([to({ hub: null }, others.slice(2)), checkToPay(conflictOf(edit, "CONFLICT"), others)]).toEqual([
    undefined,
    null,
  ]);
  const refused = conflictOf(payment, "NOT_FOUND", { order: { hub: null, base: payment.seen } });
  const [moved] = comparisonsOf(refused, checkToPay(refused, others));
  expect([moved?.lines.map(({ lineId }) => lineId), moved?.due]).toEqual([["new", "a", "b", "d"], 200]);
});

it("only a change that was refused while the bill is out is offered to be made with a reopening [TOUCH-1540]", () => {
  const met = (status: string, intent: Conflict["intent"] = edit) => {
    const there = { ...hub, snapshot: { ...hub.snapshot, status } } as unknown as Hub;
    return isBillOut(conflictOf(intent, "ORDER_LOCKED", { order: { hub: there } }));
  };
  expect([met("checkout"), met("open"), met("paid"), met("checkout", pay)]).toEqual([true, false, false, false]);
  expect(isBillOut(conflictOf(edit, "ORDER_LOCKED", { order: { hub: null } }))).toBe(false);
});

it("a payment whose check others have closed is shown with nothing due [TOUCH-1054]", () => {
  const dueOn = (status: string) => {
    const there = { ...hub, snapshot: { ...hub.snapshot, status } } as unknown as Hub;
    return comparisonsOf(conflictOf(pay, "ORDER_LOCKED", { order: { hub: there } })).map(({ due }) => due);
  };
  expect([dueOn("open"), dueOn("checkout"), dueOn("paid"), dueOn("closed")]).toEqual([[200], [200], [null], [null]]);
});

it("the text of a conflict says that sent dishes stay, and who may void [TOUCH-357]", () => {
  const atKitchen = { ...hub, snapshot: { ...hub.snapshot, lines: [{ ...line, sentQuantity: 2 }] } } as unknown as Hub;
  const refused = (mine: object[]) => {
    const order = { base: { ...content, lines: [line] }, mine: { ...content, lines: mine as (typeof line)[] } };
    return textCode(conflictOf(edit, "SENT_LINES_IMMUTABLE", { order: { ...order, hub: atKitchen } }));
  };
  expect(refused([])).toBe("SENT_LINES_IMMUTABLE");
  expect(refused([{ ...line, voided: true }])).toBe("FORBIDDEN");
});

it("the text of a conflict shows what insisting brings [TOUCH-490]", () => {
  // Another terminal moved two of three: one more is now one more than the one left.
  const of = (quantity: number) => ({ ...content, lines: [{ ...line, quantity }] });
  const three = { ...edit, base: of(3), next: of(4) };
  const conflict = conflictOf(three, "CONFLICT", { insisted: { ...three, next: of(2) }, order: { mine: of(4) } });
  expect(comparisonsOf(conflict).flatMap(({ mine }) => mine)).toEqual([of(2)]);
});

it("only differing fields and lines are compared [TOUCH-145]", () => {
  const mine = {
    ...content,
    guestCount: 4,
    lines: [
      { ...line, quantity: 3 },
      { ...line, id: "b" },
    ],
  };
  const [check] = comparisonsOf(conflictOf({ ...edit, next: mine }, "CONFLICT", { order: { mine } }));
  expect(check?.lines.map((each) => [each.lineId, each.mine?.quantity, each.theirs?.quantity])).toEqual([
    ["a", 3, 2],
    ["b", 2, undefined],
  ]);
  expect(check?.fields).toEqual([{ name: "guestCount", mine: 4, theirs: 2 }]);
  // A merge of checks does not set the guests.
  const { guestCount: _, ...merged } = mine;
  const [into] = comparisonsOf(conflictOf({ ...edit, next: merged }, "CONFLICT", { order: { mine: merged } }));
  expect(into?.fields).toEqual([]);
});

it("a payment is given back with its tips [TOUCH-146]", () => {
  const { seen, seenVersion, posReference } = pay;
  const tender = { posReference, seen, seenVersion, tenderId: "t", methodId: 1, amount: 150, tip: 15 } as const;
  expect(broughtBy({ type: "ORDER_TENDER", ...tender })).toBe(165);
  // The amount above the total was given back as change.
  const payments = [
    { methodId: 2, amount: 150, tip: 15.1 },
    { methodId: 1, amount: 100, tip: 0.2 },
  ];
  expect(broughtBy({ ...pay, payments })).toBe(215.3);
  expect(broughtBy(edit)).toBe(0);
});
