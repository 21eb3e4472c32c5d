import type { Snapshot, Tender } from "@comanda/protocol";
import { fromCents, sum, toCents } from "../amounts.ts";

/** Returns the tenders of a check that are not voided. */
export function openTenders({ tenders = [] }: { tenders?: Tender[] | undefined }): Tender[] {
  return tenders.filter((tender) => tender.voided === undefined);
}

/** Returns the sum of the open tenders. */
export function paidSoFar(snapshot: Pick<Snapshot, "tenders">): number {
  return sum(openTenders(snapshot).map(({ amount }) => amount));
}

/** Returns the unpaid amount in cents; negative if the check is overpaid. */
export function dueCents(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return openTenders(snapshot).reduce((due, { amount }) => due - toCents(amount), toCents(snapshot.totals.total));
}

/** Returns the unpaid amount in the check's currency; negative if the check is overpaid. */
export function balanceOf(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(dueCents(snapshot));
}

/** Returns the unpaid amount in the check's currency, at least 0. */
export function amountDue(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(Math.max(0, dueCents(snapshot)));
}
