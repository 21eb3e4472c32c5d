import { isActive, type Payment, type Snapshot } from "@comanda/protocol";
import { dueCents, fromCents, namesChange, openTenders, paymentsIn, toCents } from "@comanda/rules";
import { TerminalRefusal } from "../../refusal.ts";
import { paymentIdOf, type Intent, type MoneyIntent } from "../entries/outbox-entry.ts";

type Tender = Extract<Intent, { type: "ORDER_TENDER" }>;

/** How a payment that no longer fits its check is put on it; amounts are in the order's currency. */
export interface PartPayment {
  tenders: Omit<Tender, "seen" | "seenVersion">[];
  collect: number;
  /** What the check no longer needs, with the tip of what brings it nothing. */
  giveBack: number;
}

/**
 * Puts the money of a refused payment on the check as it is now, as far as something is due: cash last, because change can be
 * given from it. No tender where nothing is due.
 */
export function asPartPayment(intent: MoneyIntent, snapshot: Snapshot): PartPayment {
  const identity = requireIdentity(intent);
  const { posReference } = snapshot;
  let due = payableCents(snapshot);
  let giveBack = 0;
  const tenders: PartPayment["tenders"] = [];
  for (const [index, { payment, taken }] of takenBy(intent).entries()) {
    const tenderId = partId(identity, index);
    // This part had reached the check before the terminal was killed.
    const onCheck = openTenders(snapshot).find((tender) => tender.tenderId === tenderId);
    const amount = onCheck === undefined ? Math.min(taken, due) : toCents(onCheck.amount);
    giveBack += taken - amount;
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

/** What can still be paid on a check, in cents; on one that is over nothing. */
export function payableCents(snapshot: Snapshot): number {
  return isActive(snapshot.status) ? dueCents(snapshot) : 0;
}

/** Throws TerminalRefusal for a payment that nobody could recognize by it. */
export function requireIdentity(intent: MoneyIntent): string {
  const identity = paymentIdOf(intent);
  if (identity === undefined) throw new TerminalRefusal("VALIDATION_ERROR", "this payment has no identity");
  return identity;
}

/** The payments with what of each stayed with the house, in cents: what was above what was due was given back as change then. */
function takenBy(intent: MoneyIntent): { payment: Payment; taken: number }[] {
  const payments = paymentsIn(intent).toSorted((one, other) => Number(namesChange(one)) - Number(namesChange(other)));
  const sum = payments.reduce((cents, { amount }) => cents + toCents(amount), 0);
  const seenDue = intent.type === "ORDER_TENDER" ? intent.seenDue : undefined;
  let change = Math.max(0, sum - toCents(seenDue ?? intent.seen.totals?.total ?? fromCents(sum)));
  const taken = payments.toReversed().map((payment) => {
    const returned = Math.min(change, toCents(payment.amount));
    change -= returned;
    return { payment, taken: toCents(payment.amount) - returned };
  });
  return taken.toReversed();
}

/** What was handed over stays what it was: by as much as less is put on the check there is more change. */
function moreChange({ amount, change }: Payment, cents: number): Pick<Payment, "change"> {
  return change === undefined ? {} : { change: fromCents(toCents(change) + toCents(amount) - cents) };
}

/** The first part has the payment's own identity, which settles what the hub kept of it; the others always the same of theirs. */
function partId(paymentId: string, index: number): string {
  if (index === 0) return paymentId;
  const head = paymentId.slice(0, -4);
  return head + ((Number.parseInt(paymentId.slice(-4), 16) + index) % 0x1_0000).toString(16).padStart(4, "0");
}
