import type {
  Payment,
  PosConfig,
  Snapshot,
  StoredLine,
  StoredOrder,
  Tender,
  TerminalLine,
  TerminalMessageOf,
} from "@comanda/protocol";
import { openTenders, subtract, sum, toCents, paidSoFar, dueCents, fromCents } from "@comanda/rules";
import { HubError } from "../platform/errors.ts";

/** The payments that a mutation brings, as the terminal sent them. */
export function paymentsOf(mutation: TerminalMessageOf<"ORDER_PAY"> | TerminalMessageOf<"ORDER_TENDER">): Payment[] {
  if (mutation.type !== "ORDER_TENDER") return mutation.payments;
  const { methodId, amount, tendered, change, tip, reference, customerId } = mutation;
  return [
    {
      methodId,
      amount,
      ...(tendered !== undefined && { tendered }),
      ...(change !== undefined && { change }),
      ...(tip !== undefined && { tip }),
      ...(reference !== undefined && { reference }),
      ...(customerId !== undefined && { customerId }),
    },
  ];
}

/** What is left to pay; below 0 when more is paid than the check costs. */
export function dueOf(snapshot: Pick<Snapshot, "tenders" | "totals">): number {
  return fromCents(dueCents(snapshot));
}

/** A tender as one of the payments that settled a check. */
export function paymentOf({ takenAt: _at, takenBy: _by, terminalId: _terminal, ...payment }: Tender): Payment {
  return payment;
}

/** Refuses to remove a check, or to close it by a merge, while money lies on it. */
export function requireNoPayments({ posReference, snapshot }: StoredOrder): void {
  if (openTenders(snapshot).length === 0) return;
  throw new HubError(
    "HAS_PAYMENTS",
    `order ${posReference} has payments of ${paidSoFar(snapshot)}: take them back first`,
  );
}

/** Refuses an edit that would bring a check's total below what is paid on it. */
export function requireTotalCoversPaid(stored: StoredOrder | null, { totals }: Pick<Snapshot, "totals">): void {
  if (stored === null) return;
  const paid = paidSoFar(stored.snapshot);
  if (paid === 0 || toCents(totals.total) >= toCents(paid)) return;
  throw new HubError(
    "HAS_PAYMENTS",
    `the total of ${totals.total} is below the ${paid} that is paid on order ${stored.posReference}`,
  );
}

/** A check without a line that is charged cannot be paid. */
export function hasChargedLines({ lines }: { lines: readonly (StoredLine | TerminalLine)[] }): boolean {
  return lines.some(
    ({ voided, voidedQuantity = 0, quantity }) =>
      voided !== true && (voidedQuantity === 0 || voidedQuantity < quantity),
  );
}

/** By how much payments exceed what is due, compared to the cent; 0 when they do not. */
export function excessOf(payments: readonly Payment[], due: number): number {
  const paid = sum(payments.map((payment) => payment.amount));
  return toCents(paid) > toCents(due) ? subtract(paid, due) : 0;
}

/** Whether payments reach what is due, to the cent. */
export function covers(payments: readonly Payment[], due: number): boolean {
  return toCents(sum(payments.map((payment) => payment.amount))) >= toCents(due);
}

/**
 * Payments with `amount` as what settles: what exceeds `due` is change, taken from the cash among them; null when there is no
 * cash to give it from. Refuses cash whose `tendered` is not `amount` and `change`.
 */
export function settleAmounts(payments: readonly Payment[], due: number, config: PosConfig | null): Payment[] | null {
  const isCash = cashAmong(payments, config);
  const complete = payments.map((payment) => (isCash(payment) ? withChange(payment) : payment));
  let excess = excessOf(complete, due);
  if (excess === 0) return complete;
  if (!complete.some(isCash)) return null;
  const settled = complete.toReversed().map((payment) => {
    if (excess === 0 || !isCash(payment)) return payment;
    const cut = Math.max(0, Math.min(payment.amount, excess));
    excess = subtract(excess, cut);
    return giveChange(payment, cut);
  });
  const last = settled.findIndex(isCash);
  // Another method may have brought more than the check: that change, too, leaves the drawer.
  return settled.map((payment, index) => (index === last ? giveChange(payment, excess) : payment)).toReversed();
}

/**
 * Which of these payments are cash. Where the back-office's methods do not tell, it is those that name what was handed over;
 * while the methods were never read and none does, any may be: money taken is a fact.
 */
function cashAmong(payments: readonly Payment[], config: PosConfig | null): (payment: Payment) => boolean {
  const types = new Map(config?.paymentMethods.map((method) => [String(method.id), method.type]));
  const namesChange = (payment: Payment): boolean => payment.tendered !== undefined || payment.change !== undefined;
  const anyMayBe = config === null && !payments.some(namesChange);
  return (payment) => {
    const type = types.get(String(payment.methodId));
    return type === undefined ? anyMayBe || namesChange(payment) : type === "cash";
  };
}

/** Cash with both `tendered` and `change` when it names one; a tip may be part of what was handed over. */
function withChange(payment: Payment): Payment {
  const { amount, tendered, change, tip = 0 } = payment;
  if (tendered === undefined) return change === undefined ? payment : { ...payment, tendered: sum([amount, change]) };
  if (change === undefined) {
    const rest = [subtract(tendered, sum([amount, tip])), subtract(tendered, amount)].find((each) => each >= 0);
    if (rest !== undefined) return { ...payment, change: rest };
  } else if ([sum([amount, change]), sum([amount, change, tip])].some((each) => toCents(each) === toCents(tendered))) {
    return payment;
  }
  throw new HubError(
    "VALIDATION_ERROR",
    `tendered: ${tendered} is not the amount of ${amount} and the change${change === undefined ? "" : ` of ${change}`}`,
  );
}

function giveChange(payment: Payment, more: number): Payment {
  if (more === 0) return payment;
  const { amount, tendered = amount, change = 0 } = payment;
  return { ...payment, amount: subtract(amount, more), tendered, change: sum([change, more]) };
}
