import { isActive } from "@comanda/protocol";
import { paymentsIn, sum } from "@comanda/rules";
import {
  amountDue,
  changesOf,
  contentOf,
  isMoney,
  linesOf,
  sameLine,
  settledBy,
  type Conflict,
  type OrderContent,
} from "@comanda/terminal";
import type { CheckToPay } from "../../checks/choices-of.ts";
import { takesFromKitchen } from "../../checks/takes-from-kitchen.ts";

/** By which code it is put into words: a dish that the kitchen has may well be voided, by somebody else. */
export function codeInWords(conflict: Conflict): Conflict["refusal"]["errorCode"] {
  const { errorCode } = conflict.refusal;
  return errorCode === "SENT_LINES_IMMUTABLE" && !takesFromKitchen(conflict) ? "FORBIDDEN" : errorCode;
}

/** What a payment has brought with its tips: as much goes back to the guest. */
export function broughtBy(intent: Conflict["intent"]): number {
  const payments = isMoney(intent) ? paymentsIn(intent) : [];
  return sum([settledBy(intent) ?? 0, ...payments.map(({ tip = 0 }) => tip)]);
}

const comparedFields = ["tableId", "guestCount", "staffName", "customerName", "notes"] as const;

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
        /** What is still to be paid on it; null where nothing more is taken. */
        due: there === null || !isActive(there.snapshot.status) ? null : amountDue(there.snapshot),
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
