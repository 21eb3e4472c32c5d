import { isActive } from "@comanda/protocol";
import { paymentsIn, sum } from "@comanda/rules";
import {
  addedTo,
  amountDue,
  changesOf,
  type checkToPay,
  contentOf,
  isMoney,
  linesOf,
  sameLine,
  settledBy,
  type Conflict,
  type OrderContent,
} from "@comanda/terminal";
import { takesFromKitchen } from "../../checks/takes-from-kitchen.ts";

/** Where a refused payment can be put (`checkToPay` of the library). */
export type CheckToPay = NonNullable<ReturnType<typeof checkToPay>>;

/** By which code it is put into words: a dish that the kitchen has may well be voided, by somebody else. */
export function codeInWords(conflict: Conflict): Conflict["refusal"]["errorCode"] {
  const { errorCode } = conflict.refusal;
  return errorCode === "SENT_LINES_IMMUTABLE" && !takesFromKitchen(conflict) ? "FORBIDDEN" : errorCode;
}

/** What the library can do about a conflict; the best way out first. */
export type Choice = "applyAsPart" | "giveBack" | "merge" | "keepBoth" | "ownCheck" | "approve" | "retry" | "discard";

export function choicesOf(conflict: Conflict, toPay: CheckToPay | null = null): Choice[] {
  const { intent, refusal, isNotice, orders, insisted } = conflict;
  if (refusal.existing !== undefined) return isNotice ? ["merge", "keepBoth"] : ["merge", "keepBoth", "discard"];
  const { errorCode } = refusal;
  // A waiter may not void what the kitchen has: that is refused for the line, and is somebody else's to allow, too.
  const isForSomebodyElse =
    errorCode === "FORBIDDEN" || errorCode === "SENT_LINES_IMMUTABLE" || refusal.refusedToken?.of === "approval";
  if (isMoney(intent)) {
    // Of somebody who may take none no more is kept than a few: somebody who may allows it.
    if (errorCode === "LIMIT_REACHED" && refusal.isMoneyKept !== true) return ["approve", "retry", "discard"];
    // What the hub did not keep was never taken, like a credit that was refused.
    if (refusal.isMoneyKept !== true) return ["retry", "discard"];
    if (isForSomebodyElse) return ["approve", "giveBack"];
    if (errorCode === "ACTOR_REFUSED") return ["retry", "giveBack"];
    return toPay !== null ? ["applyAsPart", "giveBack"] : ["giveBack"];
  }
  // The hub has the count, and would only note that it was made once more.
  if (errorCode === "APPROVAL_NEEDED") return ["approve", "discard"];
  // What can be taken no more, however often it is sent, is not offered again.
  if (isOver(orders) && (errorCode === "ORDER_LOCKED" || errorCode === "NOT_FOUND")) {
    return mayGoOnOwnCheck(conflict) ? ["ownCheck", "discard"] : ["discard"];
  }
  if (insisted === null || (errorCode === "SENT_LINES_IMMUTABLE" && takesFromKitchen(conflict))) return ["discard"];
  return isForSomebodyElse ? ["approve", "retry", "discard"] : ["retry", "discard"];
}

/** Whether something was added to the check that is over, and no money was taken for that. */
function mayGoOnOwnCheck({ intent, behind, orders }: Conflict): boolean {
  if (intent.type !== "ORDER_UPSERT" || intent.base === null || behind.some(isMoney)) return false;
  return orders.some(({ posReference }) => addedTo(posReference, [intent, ...behind]).length > 0);
}

/** Whether the checks were paid or discarded meanwhile. */
function isOver(orders: Conflict["orders"]): boolean {
  return orders.every(({ hub }) => hub === null || !isActive(hub.snapshot.status));
}

/** What a payment has brought with its tips: as much goes back to the guest. */
export function broughtBy(intent: Conflict["intent"]): number {
  const payments = isMoney(intent) ? paymentsIn(intent) : [];
  return sum([settledBy(intent) ?? 0, ...payments.map(({ tip = 0 }) => tip)]);
}

const comparedFields = ["tableId", "guestCount", "staffName", "customerName", "notes"] as const;
export type FieldValue = string | number | null | undefined;
export type ComparedField = (typeof comparedFields)[number];

/**
 * Both states of each check that a conflict is about, as far as they differ: mine is what insisting on it would bring, theirs
 * null where it is gone.
 */
export function comparisonsOf({ orders, insisted }: Conflict, toPay: CheckToPay | null = null) {
  const changes = insisted === null ? [] : changesOf(insisted);
  return orders.flatMap(({ posReference, mine, base, hub }) => {
    const there = toPay ?? hub;
    const change = changes.find((each) => each.posReference === posReference);
    const wanted = change?.next ?? mine ?? base;
    // A check that was to be made for what is gone is not made.
    if (wanted === null || (changes.length > 0 && change === undefined)) return [];
    const theirs = there === null ? null : contentOf(there.snapshot);
    return [
      {
        posReference,
        lines: differingLines(wanted, theirs),
        fields: comparedFields
          .filter((name) => theirs !== null && (wanted[name] ?? null) !== (theirs[name] ?? null))
          // Who names no guests leaves them to the rules.
          .filter((name) => name !== "guestCount" || wanted.guestCount !== undefined)
          .map((name) => ({ name, mine: wanted[name], theirs: theirs?.[name] })),
        mine: wanted,
        theirs,
        /** What is still to be paid on it. */
        due: there === null ? null : amountDue(there.snapshot),
      },
    ];
  });
}

function differingLines(mine: OrderContent, theirs: OrderContent | null) {
  const [wanted, present] = [linesOf(mine), linesOf(theirs ?? {})].map(
    (lines) => new Map(lines.map((line) => [line.id, line])),
  );
  const ids = new Set([...(present?.keys() ?? []), ...(wanted?.keys() ?? [])]);
  return [...ids]
    .map((lineId) => ({ lineId, mine: wanted?.get(lineId) ?? null, theirs: present?.get(lineId) ?? null }))
    .filter((line) => !sameLine(line.mine ?? undefined, line.theirs ?? undefined));
}
