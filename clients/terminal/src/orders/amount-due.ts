import { openTenders, type Snapshot } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";

/** What is left to pay, in cents; below 0 when more is paid than the check costs. */
export function dueCents(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return openTenders(snapshot).reduce((due, { amount }) => due - toCents(amount), toCents(snapshot.totals.total));
}

/** What is left to pay on a check, in its currency. */
export function amountDue(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(Math.max(0, dueCents(snapshot)));
}
