import { isActive, type Snapshot, type StoredOrder } from "@comanda/protocol";
import { paidSoFar, paymentsOf, toCents } from "@comanda/rules";

/**
 * Whether the check is paid here, and the offered check adds nothing: it has the same total and, if it is paid, the same
 * payments.
 */
export function isPaidAlike(present: Snapshot, offered: Snapshot): boolean {
  if (isActive(present.status) || toCents(present.totals.total) !== toCents(offered.totals.total)) return false;
  return isActive(offered.status) || moneyOf(present) === moneyOf(offered);
}

/** Whether a check was closed because the back-office has it as paid, which does not say how it was paid. */
export function lacksPayments({ snapshot }: StoredOrder): boolean {
  const { status, payments = [], totals } = snapshot;
  return !isActive(status) && payments.length === 0 && paidSoFar(snapshot) < totals.total;
}

/** Returns a text that is equal for equal payments, regardless of their order. */
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
