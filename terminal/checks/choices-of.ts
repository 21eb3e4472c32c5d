import { isActive } from "@comanda/protocol";
import { addedTo, type checkToPay, type Conflict, isMoney } from "@comanda/terminal";
import { takesFromKitchen } from "./takes-from-kitchen.ts";

/** The check that a refused payment can go to, from `checkToPay` of the library. */
export type CheckToPay = NonNullable<ReturnType<typeof checkToPay>>;

/** A way to resolve a conflict that the library offers. */
export type Choice = "applyAsPart" | "giveBack" | "merge" | "keepBoth" | "ownCheck" | "approve" | "retry" | "discard";

/** Returns the ways to resolve a conflict, best first. `toPay` can take a refused payment; `acting` would retry it. */
export function choicesOf(
  conflict: Conflict,
  { toPay = null, acting = null }: { toPay?: CheckToPay | null; acting?: Conflict["author"] } = {},
): Choice[] {
  const { intent, refusal, isNotice, orders, insisted } = conflict;
  if (refusal.existing !== undefined) return isNotice ? ["merge", "keepBoth"] : ["merge", "keepBoth", "discard"];
  const { errorCode } = refusal;
  // Voiding a sent dish as a waiter is refused for the line, with a code of its own; another user may approve it, too.
  const isForSomebodyElse =
    errorCode === "FORBIDDEN" || errorCode === "SENT_LINES_IMMUTABLE" || refusal.refusedToken?.of === "approval";
  if (isMoney(intent)) {
    // The hub keeps only a few payments of a user without the right to take any; another user can approve this one.
    if (errorCode === "LIMIT_REACHED" && refusal.isMoneyKept !== true) return ["approve", "retry", "discard"];
    // A payment that the hub did not keep was never taken, as with a refused credit.
    if (refusal.isMoneyKept !== true) return ["retry", "discard"];
    if (isForSomebodyElse) return ["approve", "giveBack"];
    if (errorCode === "ACTOR_REFUSED") return ["retry", "giveBack"];
    return toPay !== null ? ["applyAsPart", "giveBack"] : ["giveBack"];
  }
  // The hub has the count; a retry would only record that it was sent again.
  if (isForManagers(conflict)) return ["approve", "discard"];
  // Sending these again can never succeed.
  if (errorCode === "SHIFT_OPEN" || errorCode === "SHIFT_CLOSED") return ["discard"];
  if (isOver(orders) && (errorCode === "ORDER_LOCKED" || errorCode === "NOT_FOUND")) {
    return mayGoOnOwnCheck(conflict) ? ["ownCheck", "discard"] : ["discard"];
  }
  if (insisted === null || (errorCode === "SENT_LINES_IMMUTABLE" && takesFromKitchen(conflict))) return ["discard"];
  if (!isForSomebodyElse) return ["retry", "discard"];
  return mayInsist(conflict, acting) ? ["approve", "retry", "discard"] : ["approve", "discard"];
}

/** Whether only managers can approve it: a shift count without approval, or whose approval has expired. */
export function isForManagers({ intent, refusal }: Conflict): boolean {
  const isUnapproved = refusal.errorCode === "APPROVAL_NEEDED" || refusal.refusedToken?.of === "approval";
  return intent.type === "TILL_COUNT" && isUnapproved;
}

/** Whether another user may insist on a change its author may not make; true if the author is unknown. */
function mayInsist({ author }: Conflict, acting: Conflict["author"]): boolean {
  return author === null || String(author.id) !== String(acting?.id);
}

/** Whether the conflict added something to a check that is closed, without a payment for it. */
function mayGoOnOwnCheck({ intent, behind, orders }: Conflict): boolean {
  if (intent.type !== "ORDER_UPSERT" || intent.base === null || behind.some(isMoney)) return false;
  return orders.some(({ posReference }) => addedTo(posReference, [intent, ...behind]).length > 0);
}

/** Whether all its checks were paid or discarded in the meantime. */
function isOver(orders: Conflict["orders"]): boolean {
  return orders.every(({ hub }) => hub === null || !isActive(hub.snapshot.status));
}
