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

/** Returns the code whose text applies: another user may void a sent dish, so its refusal reads as FORBIDDEN. */
export function textCode(conflict: Conflict): Conflict["refusal"]["errorCode"] {
  const { errorCode } = conflict.refusal;
  return errorCode === "SENT_LINES_IMMUTABLE" && !takesFromKitchen(conflict) ? "FORBIDDEN" : errorCode;
}

/** Whether the change met a bill that is out: the check takes it once it is reopened. */
export function isBillOut({ intent, refusal, orders }: Conflict): boolean {
  const isOut = orders.some(({ hub }) => hub?.snapshot.status === "checkout");
  return isOut && refusal.errorCode === "ORDER_LOCKED" && !isMoney(intent);
}

/** Returns the amount of a payment with its tips, which is what would go back to the guest. */
export function broughtBy(intent: Conflict["intent"]): number {
  const payments = isMoney(intent) ? paymentsIn(intent) : [];
  return sum([settledBy(intent) ?? 0, ...payments.map(({ tip = 0 }) => tip)]);
}

const comparedFields = ["tableId", "guestCount", "staffName", "customerName", "notes"] as const;

/**
 * Returns the differences between both states of each check in a conflict. `mine` is the state if the change were made again;
 * `theirs` is null if the check is gone.
 */
export function comparisonsOf({ orders, insisted }: Conflict, toPay: CheckToPay | null = null) {
  const changes = insisted === null ? [] : changesOf(insisted);
  return orders.flatMap(({ posReference, mine, base, hub }) => {
    const there = toPay ?? hub;
    const change = changes.find((each) => each.posReference === posReference);
    const content = change?.next ?? mine ?? base;
    // A check that the conflict would only create for lines that are gone is left out.
    if (content === null || (changes.length > 0 && change === undefined)) return [];
    const theirs = there === null ? null : contentOf(there.snapshot);
    return [
      {
        posReference,
        lines: differingLines(content, theirs),
        fields: comparedFields
          .filter((name) => theirs !== null && (content[name] ?? null) !== (theirs[name] ?? null))
          // Without a guest count, the rules decide it.
          .filter((name) => name !== "guestCount" || content.guestCount !== undefined)
          .map((name) => ({ name, mine: content[name], theirs: theirs?.[name] })),
        mine: content,
        theirs,
        /** The amount due; null if the check takes no more payments. */
        due: there === null || !isActive(there.snapshot.status) ? null : amountDue(there.snapshot),
      },
    ];
  });
}

function differingLines(mine: OrderContent, theirs: OrderContent | null) {
  const [own, present] = [linesOf(mine), linesOf(theirs ?? {})].map(
    (lines) => new Map(lines.map((line) => [line.id, line])),
  );
  const ids = new Set([...(present?.keys() ?? []), ...(own?.keys() ?? [])]);
  return [...ids]
    .map((lineId) => ({ lineId, mine: own?.get(lineId) ?? null, theirs: present?.get(lineId) ?? null }))
    .filter((line) => !sameLine(line.mine ?? undefined, line.theirs ?? undefined));
}
