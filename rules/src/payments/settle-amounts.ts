import type { Payment } from "@comanda/protocol";
import { subtract, sum, toCents } from "../money/amounts.ts";
import { cashAmong, type PaymentMethods } from "./payment-methods.ts";

/** Why payments do not settle an amount. */
export type AmountRefusal =
  | { code: "NO_CHANGE"; values: { excess: number } }
  /** Cash whose `tendered` is not its amount plus change. */
  | { code: "WRONG_TENDERED"; values: Pick<Payment, "tendered" | "amount" | "change"> };

export type SettledAmounts = { payments: Payment[] } | { refusal: AmountRefusal };

/** Returns by how much payments exceed the amount due, compared in cents; 0 if they do not. */
export function excessOf(payments: readonly Payment[], due: number): number {
  const paid = amountOf(payments);
  return toCents(paid) > toCents(due) ? subtract(paid, due) : 0;
}

/** Returns whether payments cover the amount due, compared in cents. */
export function coversDue(payments: readonly Payment[], due: number): boolean {
  return toCents(amountOf(payments)) >= toCents(due);
}

/** Returns the sum of the amounts. */
export function amountOf(payments: readonly Pick<Payment, "amount">[]): number {
  return sum(payments.map(({ amount }) => amount));
}

/** Returns the payments with `amount` as the settling part. The excess over `due` becomes change of the cash payments. */
export function settleAmounts(payments: readonly Payment[], due: number, methods: PaymentMethods): SettledAmounts {
  const isCash = cashAmong(payments, methods);
  const wrong = payments.find((payment) => isCash(payment) && withChange(payment) === null);
  if (wrong !== undefined) {
    const { tendered, amount, change } = wrong;
    return { refusal: { code: "WRONG_TENDERED", values: { tendered, amount, change } } };
  }
  const complete = payments.map((payment) => (isCash(payment) ? (withChange(payment) ?? payment) : payment));
  const excess = excessOf(complete, due);
  if (excess === 0) return { payments: complete };
  if (!complete.some(isCash)) return { refusal: { code: "NO_CHANGE", values: { excess } } };
  const { payments: cut, rest } = reduceFromLast(complete, excess, isCash, giveChange);
  const last = cut.findLastIndex(isCash);
  // If another method paid more than the check, that change comes from the drawer too.
  return { payments: cut.map((payment, index) => (index === last ? giveChange(payment, rest) : payment)) };
}

/** Returns the payments reduced to the amount due, the last ones first. */
export function cutToDue(payments: readonly Payment[], due: number): Payment[] {
  const lower = (payment: Payment, cut: number): Payment => ({ ...payment, amount: subtract(payment.amount, cut) });
  return reduceFromLast(payments, excessOf(payments, due), () => true, lower).payments;
}

/** Takes `excess` from the payments that `mayReduce` accepts, last ones first; `rest` is what they cannot cover. */
function reduceFromLast(
  payments: readonly Payment[],
  excess: number,
  mayReduce: (payment: Payment) => boolean,
  reduce: (payment: Payment, cut: number) => Payment,
): { payments: Payment[]; rest: number } {
  let rest = excess;
  const reduced = payments.toReversed().map((payment) => {
    const cut = mayReduce(payment) ? Math.max(0, Math.min(payment.amount, rest)) : 0;
    rest = subtract(rest, cut);
    return cut === 0 ? payment : reduce(payment, cut);
  });
  return { payments: reduced.toReversed(), rest };
}

/** Completes `tendered` or `change` of cash that states one of them; a tip may be included. Null if they do not add up. */
function withChange(payment: Payment): Payment | null {
  const { amount, tendered, change, tip = 0 } = payment;
  if (tendered === undefined) return change === undefined ? payment : { ...payment, tendered: sum([amount, change]) };
  if (change === undefined) {
    const rest = [subtract(tendered, sum([amount, tip])), subtract(tendered, amount)].find((each) => each >= 0);
    return rest === undefined ? null : { ...payment, change: rest };
  }
  const isRight = [sum([amount, change]), sum([amount, change, tip])].some(
    (each) => toCents(each) === toCents(tendered),
  );
  return isRight ? payment : null;
}

function giveChange(payment: Payment, more: number): Payment {
  if (more === 0) return payment;
  const { amount, tendered = amount, change = 0 } = payment;
  return { ...payment, amount: subtract(amount, more), tendered, change: sum([change, more]) };
}
