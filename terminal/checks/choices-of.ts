import { isActive } from "@comanda/protocol";
import { addedTo, type checkToPay, type Conflict, isMoney } from "@comanda/terminal";
import { takesFromKitchen } from "./takes-from-kitchen.ts";

/** Where a refused payment can be put (`checkToPay` of the library). */
export type CheckToPay = NonNullable<ReturnType<typeof checkToPay>>;

/** What the library can do about a conflict; the best way out first. */
export type Choice = "applyAsPart" | "giveBack" | "merge" | "keepBoth" | "ownCheck" | "approve" | "retry" | "discard";

/** `toPay`: where a refused payment can be put; `acting`: who would insist on it. */
export function choicesOf(
  conflict: Conflict,
  { toPay = null, acting = null }: { toPay?: CheckToPay | null; acting?: Conflict["author"] } = {},
): Choice[] {
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
  if (isForManagers(conflict)) return ["approve", "discard"];
  // What can be taken no more, however often it is sent, is not offered again.
  if (errorCode === "SHIFT_OPEN" || errorCode === "SHIFT_CLOSED") return ["discard"];
  if (isOver(orders) && (errorCode === "ORDER_LOCKED" || errorCode === "NOT_FOUND")) {
    return mayGoOnOwnCheck(conflict) ? ["ownCheck", "discard"] : ["discard"];
  }
  if (insisted === null || (errorCode === "SENT_LINES_IMMUTABLE" && takesFromKitchen(conflict))) return ["discard"];
  if (!isForSomebodyElse) return ["retry", "discard"];
  return mayInsist(conflict, acting) ? ["approve", "retry", "discard"] : ["approve", "discard"];
}

/** Whether managers alone allow it: a count that waits for their approval, also where the one that was given has ended. */
export function isForManagers({ intent, refusal }: Conflict): boolean {
  const isUnapproved = refusal.errorCode === "APPROVAL_NEEDED" || refusal.refusedToken?.of === "approval";
  return intent.type === "TILL_COUNT" && isUnapproved;
}

/** Whether a change that its author may not make is another's to make, as far as it is known who made it. */
function mayInsist({ author }: Conflict, acting: Conflict["author"]): boolean {
  return author === null || String(author.id) !== String(acting?.id);
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
