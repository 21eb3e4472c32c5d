import { checkToPay, type Conflict, type OutboxEntry } from "@comanda/terminal";
import { expect, it } from "vitest";
import { broughtBy, choicesOf, codeInWords, comparisonsOf } from "./conflict-words.ts";

type Hub = NonNullable<Conflict["orders"][number]["hub"]>;

const content = { orderType: "dine_in", tableId: 61, guestCount: 2 } as const;
const line = { id: "a", productId: 1, quantity: 2, unitPrice: 100, total: 200 };
const hub = {
  posReference: "A",
  version: 2,
  snapshot: { ...content, status: "open", lines: [line], totals: { total: 200 } },
} as unknown as Hub;
const edit = { type: "ORDER_UPSERT", posReference: "A", base: content, next: content } as const;
const pay = {
  type: "ORDER_PAY" as const,
  posReference: "A",
  paymentId: "p",
  payments: [{ methodId: 1, amount: 200 }],
  seen: { ...content, totals: { subtotal: 200, tax: 0, total: 200 } },
  seenVersion: 1,
} satisfies OutboxEntry["intent"];

function conflictOf(
  intent: OutboxEntry["intent"],
  errorCode: Conflict["refusal"]["errorCode"],
  more: Partial<Conflict> & { existing?: boolean; order?: Partial<Conflict["orders"][number]> } = {},
): Conflict {
  const { existing = false, order = {}, ...rest } = more;
  const found = existing ? { existing: { posReference: "B", checkNumber: 1, staffName: "Ana" } } : {};
  return {
    id: "1",
    intent,
    queuedAt: "2026-11-22T20:00:00.000Z",
    refusal: { errorCode, error: "", collisions: [], at: "2026-11-22T20:00:00.000Z", ...found },
    isNotice: false,
    orders: [{ posReference: "A", mine: null, base: content, hub, ...order }],
    insisted: intent,
    behind: [],
    ...rest,
  };
}

it("[TOUCH-148] offers what the library can do, the way that loses nothing first", () => {
  expect(choicesOf(conflictOf(edit, "CONFLICT"))).toEqual(["retry", "discard"]);
  expect(choicesOf(conflictOf(edit, "FORBIDDEN"))).toEqual(["approve", "retry", "discard"]);
  const unapproved = conflictOf(edit, "ACTOR_REFUSED");
  unapproved.refusal.refusedToken = { of: "approval", why: "expired" };
  expect(choicesOf(unapproved)).toEqual(["approve", "retry", "discard"]);
  expect(choicesOf(conflictOf(edit, "TABLE_OCCUPIED", { existing: true }))).toEqual(["merge", "keepBoth", "discard"]);
  const notice = conflictOf(edit, "TABLE_OCCUPIED", { existing: true, isNotice: true });
  expect(choicesOf(notice)).toEqual(["merge", "keepBoth"]);
});

it("[TILL-44] does not offer to send a count again without the approval that it waits for", () => {
  const count: Conflict["intent"] = { type: "TILL_COUNT", shiftId: "s", counted: [] };
  expect(choicesOf(conflictOf(count, "APPROVAL_NEEDED", { orders: [] }))).toEqual(["approve", "discard"]);
});

it("[TOUCH-357] offers another check first where the check is over, and nothing that can only be refused again", () => {
  const paid = { ...hub, snapshot: { ...hub.snapshot, status: "paid" } } as Hub;
  const added = { ...edit, next: { ...content, lines: [line] } };
  const over = [
    conflictOf(added, "ORDER_LOCKED", { order: { hub: paid } }),
    conflictOf(added, "NOT_FOUND", { order: { hub: null } }),
    // What was added on top of a note.
    conflictOf(edit, "NOT_FOUND", { order: { hub: null }, behind: [{ ...added, base: content }] }),
  ];
  expect(over.map((each) => choicesOf(each))).toEqual(Array(3).fill(["ownCheck", "discard"]));
  // Another check would have no dish, or would have been paid for already.
  const voided = { ...edit, base: added.next, next: { ...content, lines: [{ ...line, voided: true }] } };
  expect(choicesOf(conflictOf(voided, "ORDER_LOCKED", { order: { hub: paid } }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(added, "NOT_FOUND", { order: { hub: null }, behind: [pay] }))).toEqual(["discard"]);
  const reopen = { type: "ORDER_REOPEN", posReference: "A", seen: content, seenVersion: 1 } as const;
  expect(choicesOf(conflictOf(reopen, "ORDER_LOCKED", { order: { hub: paid } }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(edit, "ORDER_LOCKED"))).toEqual(["retry", "discard"]);
});

it("[TOUCH-357] offers nobody's approval for what would take from the kitchen what it has", () => {
  const sent = { ...line, sentQuantity: 2 };
  const atKitchen = { ...hub, snapshot: { ...hub.snapshot, lines: [sent] } } as unknown as Hub;
  const base = { ...content, lines: [line] };
  const order = (mine: (typeof line)[]) => ({ base, mine: { ...content, lines: mine }, hub: atKitchen });
  const refused = (mine: (typeof line)[]) => {
    const conflict = conflictOf(edit, "SENT_LINES_IMMUTABLE", { order: order(mine) });
    return [codeInWords(conflict), choicesOf(conflict)];
  };
  expect(refused([])).toEqual(["SENT_LINES_IMMUTABLE", ["discard"]]);
  expect(refused([{ ...line, quantity: 1 }])).toEqual(["SENT_LINES_IMMUTABLE", ["discard"]]);
  // What is void stays with the kitchen: that is a cashier's to allow, and is said to be.
  const voided = { ...line, voided: true } as typeof line;
  expect(refused([voided])).toEqual(["FORBIDDEN", ["approve", "retry", "discard"]]);
});

it("[TOUCH-148] never offers to forget money that the hub has kept, and to forget only what it has not", () => {
  const kept = (code: Conflict["refusal"]["errorCode"], more: Parameters<typeof conflictOf>[2] = {}) => {
    const conflict = conflictOf(pay, code, more);
    return { ...conflict, refusal: { ...conflict.refusal, isMoneyKept: true as const } };
  };
  const offered = (conflict: Conflict) => choicesOf(conflict, checkToPay(conflict, []));
  expect(offered(kept("CONFLICT"))).toEqual(["applyAsPart", "giveBack"]);
  expect(offered(kept("NOT_FOUND", { order: { hub: null } }))).toEqual(["giveBack"]);
  expect(offered(kept("ACTOR_REFUSED"))).toEqual(["retry", "giveBack"]);
  // It fitted until others paid.
  expect(offered(kept("VALIDATION_ERROR"))).toEqual(["applyAsPart", "giveBack"]);
  expect(choicesOf(conflictOf(pay, "CREDIT_REFUSED"))).toEqual(["retry", "discard"]);
  expect(choicesOf(conflictOf(pay, "LIMIT_REACHED"))).toEqual(["approve", "retry", "discard"]);
});

it("[TOUCH-495] puts money on the check to which most of its dishes have gone, unless its own has something to pay", () => {
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
    // Other systems have lines of the same name.
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

it("[TOUCH-490] offers no retry of what can only be refused again, and shows what insisting brings", () => {
  expect(choicesOf(conflictOf(edit, "NOT_FOUND", { insisted: null }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(edit, "CONFLICT", { insisted: null }))).toEqual(["discard"]);
  // Two of three were moved by somebody else: one more is one more of what is left.
  const of = (quantity: number) => ({ ...content, lines: [{ ...line, quantity }] });
  const three = { ...edit, base: of(3), next: of(4) };
  const conflict = conflictOf(three, "CONFLICT", { insisted: { ...three, next: of(2) }, order: { mine: of(4) } });
  expect(comparisonsOf(conflict).flatMap(({ mine }) => mine)).toEqual([of(2)]);
});

it("[TOUCH-145] compares only what differs", () => {
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
  // A merge of checks names no guests.
  const { guestCount: _, ...merged } = mine;
  const [into] = comparisonsOf(conflictOf({ ...edit, next: merged }, "CONFLICT", { order: { mine: merged } }));
  expect(into?.fields).toEqual([]);
});

it("[TOUCH-146] gives a payment back with its tips", () => {
  const { seen, seenVersion, posReference } = pay;
  const tender = { posReference, seen, seenVersion, tenderId: "t", methodId: 1, amount: 150, tip: 15 } as const;
  expect(broughtBy({ type: "ORDER_TENDER", ...tender })).toBe(165);
  // What was above the total was given back as change.
  const payments = [
    { methodId: 2, amount: 150, tip: 15.1 },
    { methodId: 1, amount: 100, tip: 0.2 },
  ];
  expect(broughtBy({ ...pay, payments })).toBe(215.3);
  expect(broughtBy(edit)).toBe(0);
});
