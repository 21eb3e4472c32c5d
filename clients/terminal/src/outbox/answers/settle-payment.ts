import { isActive, type Payment, type Snapshot } from "@comanda/protocol";
import { dueCents, fromCents, namesChange, openTenders, paymentsIn, toCents } from "@comanda/rules";
import { TerminalRefusal } from "../../refusal.ts";
import { paymentIdOf, type Intent, type MoneyIntent } from "../entries/outbox-entry.ts";

type Tender = Extract<Intent, { type: "ORDER_TENDER" }>;

/** How a payment that no longer fits its check is applied to it. Amounts are in the order's currency. */
export interface PartPayment {
  tenders: Omit<Tender, "seen" | "seenVersion">[];
  collect: number;
  /** The amount that the check no longer needs, including tips of payments that are not used. */
  giveBack: number;
}

/**
 * Applies the money of a refused payment to the check's current state, up to what is due. Cash comes last, because it can give
 * change. There are no tenders if nothing is due.
 */
export function asPartPayment(intent: MoneyIntent, snapshot: Snapshot): PartPayment {
  const identity = requireIdentity(intent);
  const { posReference } = snapshot;
  let due = payableCents(snapshot);
  let giveBack = 0;
  const tenders: PartPayment["tenders"] = [];
  for (const [index, { payment, cents }] of retainedPayments(intent).entries()) {
    const tenderId = partId(identity, index);
    // This part reached the check before the terminal was killed.
    const onCheck = openTenders(snapshot).find((tender) => tender.tenderId === tenderId);
    const amount = onCheck === undefined ? Math.min(cents, due) : toCents(onCheck.amount);
    giveBack += cents - amount;
    if (amount <= 0) giveBack += toCents(payment.tip ?? 0);
    if (onCheck !== undefined || amount <= 0) continue;
    tenders.push({
      ...payment,
      ...moreChange(payment, amount),
      type: "ORDER_TENDER",
      posReference,
      tenderId,
      amount: fromCents(amount),
      seenDue: fromCents(due),
    });
    due -= amount;
  }
  return { tenders, collect: fromCents(due), giveBack: fromCents(giveBack) };
}

/** Returns what can still be paid on a check, in cents; 0 if the check is closed. */
export function payableCents(snapshot: Snapshot): number {
  return isActive(snapshot.status) ? dueCents(snapshot) : 0;
}

/** Returns the id of a payment. Throws TerminalRefusal if it has none. */
export function requireIdentity(intent: MoneyIntent): string {
  const identity = paymentIdOf(intent);
  if (identity === undefined) throw new TerminalRefusal("VALIDATION_ERROR", "this payment has no identity");
  return identity;
}

/** Returns the payments with the amount kept of each, in cents: what exceeded the amount due was given back as change. */
function retainedPayments(intent: MoneyIntent): { payment: Payment; cents: number }[] {
  const payments = paymentsIn(intent).toSorted((one, other) => Number(namesChange(one)) - Number(namesChange(other)));
  const sum = payments.reduce((cents, { amount }) => cents + toCents(amount), 0);
  const seenDue = intent.type === "ORDER_TENDER" ? intent.seenDue : undefined;
  let change = Math.max(0, sum - toCents(seenDue ?? intent.seen.totals?.total ?? fromCents(sum)));
  const retained = payments.toReversed().map((payment) => {
    const returned = Math.min(change, toCents(payment.amount));
    change -= returned;
    return { payment, cents: toCents(payment.amount) - returned };
  });
  return retained.toReversed();
}

/** The cash received stays the same, so the change grows by what is not put on the check. */
function moreChange({ amount, change }: Payment, cents: number): Pick<Payment, "change"> {
  return change === undefined ? {} : { change: fromCents(toCents(change) + toCents(amount) - cents) };
}

/** Returns a part's id, the same in each attempt. The first has the payment's own id, to settle what the hub kept of it. */
function partId(paymentId: string, index: number): string {
  if (index === 0) return paymentId;
  const head = paymentId.slice(0, -4);
  return head + ((Number.parseInt(paymentId.slice(-4), 16) + index) % 0x1_0000).toString(16).padStart(4, "0");
}
