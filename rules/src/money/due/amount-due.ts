import type { Snapshot, Tender } from "@comanda/protocol";
import { fromCents, sum, toCents } from "../amounts.ts";

/** The tenders that lie on a check: those that were not taken back. */
export function openTenders({ tenders = [] }: { tenders?: Tender[] | undefined }): Tender[] {
  return tenders.filter((tender) => tender.voided === undefined);
}

/** What the tenders on a check have paid. */
export function paidSoFar(snapshot: Pick<Snapshot, "tenders">): number {
  return sum(openTenders(snapshot).map(({ amount }) => amount));
}

/** What is left to pay, in cents; below 0 when more is paid than the check costs. */
export function dueCents(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return openTenders(snapshot).reduce((due, { amount }) => due - toCents(amount), toCents(snapshot.totals.total));
}

/** What is left to pay, in the check's currency; below 0 when more is paid than it costs. */
export function balanceOf(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(dueCents(snapshot));
}

/** What is left to pay on a check, in its currency. */
export function amountDue(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(Math.max(0, dueCents(snapshot)));
}
