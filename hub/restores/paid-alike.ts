import { isActive, type Snapshot, type StoredOrder } from "@comanda/protocol";
import { paidSoFar, paymentsOf, toCents } from "@comanda/rules";

/**
 * Whether what is offered of a check says nothing that the check, which is paid here, does not have: the same total, and
 * where it is paid there, too, the same payments.
 */
export function isPaidAlike(present: Snapshot, offered: Snapshot): boolean {
  if (isActive(present.status) || toCents(present.totals.total) !== toCents(offered.totals.total)) return false;
  return isActive(offered.status) || moneyOf(present) === moneyOf(offered);
}

/** Whether a check is closed on the word of the back-office, which does not say how it was paid. */
export function lacksPayments({ snapshot }: StoredOrder): boolean {
  const { status, payments = [], totals } = snapshot;
  return !isActive(status) && payments.length === 0 && paidSoFar(snapshot) < totals.total;
}

/** The same text for the same money, in whatever order it was taken. */
function moneyOf(snapshot: Snapshot): string {
  const money = paymentsOf(snapshot).map(({ methodId, amount, ...more }) => [
    methodId,
    toCents(amount),
    toCents(Number(more["tip"] ?? 0)),
  ]);
  return money
    .map((each) => each.join(" "))
    .toSorted()
    .join();
}
