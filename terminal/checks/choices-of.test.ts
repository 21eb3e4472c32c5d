import { checkToPay, type Conflict } from "@comanda/terminal";
import { expect, it } from "vitest";
import { conflictOf, content, edit, hub, type Hub, line, pay } from "../test/conflict-of.ts";
import { choicesOf, isForManagers } from "./choices-of.ts";

it("a conflict offers what the library can do, the choice that loses nothing first [TOUCH-148]", () => {
  expect(choicesOf(conflictOf(edit, "CONFLICT"))).toEqual(["retry", "discard"]);
  expect(choicesOf(conflictOf(edit, "FORBIDDEN"))).toEqual(["approve", "retry", "discard"]);
  const unapproved = conflictOf(edit, "ACTOR_REFUSED");
  unapproved.refusal.refusedToken = { of: "approval", why: "expired" };
  expect(choicesOf(unapproved)).toEqual(["approve", "retry", "discard"]);
  expect(choicesOf(conflictOf(edit, "TABLE_OCCUPIED", { existing: true }))).toEqual(["merge", "keepBoth", "discard"]);
  const notice = conflictOf(edit, "TABLE_OCCUPIED", { existing: true, isNotice: true });
  expect(choicesOf(notice)).toEqual(["merge", "keepBoth"]);
});

it("a refused count is not offered again without the approval that it needs [TILL-44]", () => {
  const count: Conflict["intent"] = { type: "TILL_COUNT", shiftId: "s", counted: [] };
  const waits = conflictOf(count, "APPROVAL_NEEDED", { orders: [] });
  const unapproved = conflictOf(count, "ACTOR_REFUSED", { orders: [] });
  unapproved.refusal.refusedToken = { of: "approval", why: "expired" };
  for (const conflict of [waits, unapproved]) {
    expect([choicesOf(conflict), isForManagers(conflict)]).toEqual([["approve", "discard"], true]);
  }
});

it("a till mutation is not offered again if its shift or till does not accept it any more [TILL-301]", () => {
  const move: Conflict["intent"] = { type: "TILL_MOVE", shiftId: "s", kind: "drop", amount: 200, reason: "banco" };
  expect(choicesOf(conflictOf(move, "SHIFT_CLOSED", { orders: [] }))).toEqual(["discard"]);
  const open: Conflict["intent"] = { type: "TILL_OPEN", tillId: "bar", shiftId: "s", float: 500 };
  expect(choicesOf(conflictOf(open, "SHIFT_OPEN", { orders: [] }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(open, "FORBIDDEN", { orders: [] }))).toEqual(["approve", "retry", "discard"]);
});

it("another check is offered first if the check is over, and nothing that would be refused again [TOUCH-357]", () => {
  const paid = { ...hub, snapshot: { ...hub.snapshot, status: "paid" } } as Hub;
  const added = { ...edit, next: { ...content, lines: [line] } };
  const over = [
    conflictOf(added, "ORDER_LOCKED", { order: { hub: paid } }),
    conflictOf(added, "NOT_FOUND", { order: { hub: null } }),
    // A dish was added on top of a note.
    conflictOf(edit, "NOT_FOUND", { order: { hub: null }, behind: [{ ...added, base: content }] }),
  ];
  expect(over.map((each) => choicesOf(each))).toEqual(Array(3).fill(["ownCheck", "discard"]));
  // The new check would have no dish, or would already be paid.
  const voided = { ...edit, base: added.next, next: { ...content, lines: [{ ...line, voided: true }] } };
  expect(choicesOf(conflictOf(voided, "ORDER_LOCKED", { order: { hub: paid } }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(added, "NOT_FOUND", { order: { hub: null }, behind: [pay] }))).toEqual(["discard"]);
  const reopen = { type: "ORDER_REOPEN", posReference: "A", seen: content, seenVersion: 1 } as const;
  expect(choicesOf(conflictOf(reopen, "ORDER_LOCKED", { order: { hub: paid } }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(edit, "ORDER_LOCKED"))).toEqual(["retry", "discard"]);
});

it("no approval is offered for removing what the kitchen has [TOUCH-357]", () => {
  const sent = { ...line, sentQuantity: 2 };
  const atKitchen = { ...hub, snapshot: { ...hub.snapshot, lines: [sent] } } as unknown as Hub;
  const base = { ...content, lines: [line] };
  const order = (mine: (typeof line)[]) => ({ base, mine: { ...content, lines: mine }, hub: atKitchen });
  const refused = (mine: (typeof line)[]) => {
    return choicesOf(conflictOf(edit, "SENT_LINES_IMMUTABLE", { order: order(mine) }));
  };
  expect(refused([])).toEqual(["discard"]);
  expect(refused([{ ...line, quantity: 1 }])).toEqual(["discard"]);
  // The kitchen has the voided dish; a cashier must approve this.
  const voided = { ...line, voided: true } as typeof line;
  expect(refused([voided])).toEqual(["approve", "retry", "discard"]);
});

it("money that the hub has kept can never be discarded, other money can [TOUCH-148]", () => {
  const withKeptMoney = (code: Conflict["refusal"]["errorCode"], more: Parameters<typeof conflictOf>[2] = {}) => {
    const conflict = conflictOf(pay, code, more);
    return { ...conflict, refusal: { ...conflict.refusal, isMoneyKept: true as const } };
  };
  const offered = (conflict: Conflict) => choicesOf(conflict, { toPay: checkToPay(conflict, []) });
  expect(offered(withKeptMoney("CONFLICT"))).toEqual(["applyAsPart", "giveBack"]);
  expect(offered(withKeptMoney("NOT_FOUND", { order: { hub: null } }))).toEqual(["giveBack"]);
  expect(offered(withKeptMoney("ACTOR_REFUSED"))).toEqual(["retry", "giveBack"]);
  // The amount was right until another payment was taken.
  expect(offered(withKeptMoney("VALIDATION_ERROR"))).toEqual(["applyAsPart", "giveBack"]);
  expect(choicesOf(conflictOf(pay, "CREDIT_REFUSED"))).toEqual(["retry", "discard"]);
  expect(choicesOf(conflictOf(pay, "LIMIT_REACHED"))).toEqual(["approve", "retry", "discard"]);
});

it("no retry is offered to a person who lacks the right [TOUCH-490]", () => {
  expect(choicesOf(conflictOf(edit, "NOT_FOUND", { insisted: null }))).toEqual(["discard"]);
  expect(choicesOf(conflictOf(edit, "CONFLICT", { insisted: null }))).toEqual(["discard"]);
  const [wendy, carlos] = [
    { id: 1, name: "Wendy" },
    { id: "2", name: "Carlos" },
  ];
  for (const code of ["FORBIDDEN", "SENT_LINES_IMMUTABLE"] as const) {
    const conflict = conflictOf(edit, code, { author: wendy });
    expect(choicesOf(conflict, { acting: wendy })).toEqual(["approve", "discard"]);
    expect(choicesOf(conflict, { acting: carlos })).toEqual(["approve", "retry", "discard"]);
  }
  // If only the token ended, the same person may have a new one.
  expect(choicesOf(conflictOf(edit, "ACTOR_REFUSED", { author: wendy }), { acting: wendy })).toEqual([
    "retry",
    "discard",
  ]);
});
