import type { Customer, FiscalRequest, ForeignCash, Payment, PaymentMethod } from "@comanda/protocol";
import { fromCents, sum, type SettledCash } from "@comanda/rules";
import type { TenderIntent } from "@comanda/terminal";

/** A customer chosen for the fiscal number or for credit. */
export type ChosenCustomer = Pick<Customer, "id" | "name">;

export interface PaymentToTake {
  method: PaymentMethod;
  money: SettledCash;
  /** Set for a method on credit. */
  customer?: ChosenCustomer;
  /** Foreign cash; `money` is its value. */
  foreign?: ForeignCash | undefined;
  fiscal: FiscalRequest | undefined;
}

/** Returns the payment as the hub expects it. Cash has the amount handed over, which includes the tip. */
export function tenderOf({ method, money, customer, foreign, fiscal }: PaymentToTake): TenderIntent {
  const { amount, tip, change } = money;
  const cash = { tendered: fromCents(amount + tip + change), change: fromCents(change) };
  return {
    methodId: method.id,
    amount: fromCents(amount),
    ...(method.type === "cash" && cash),
    ...(tip > 0 && { tip: fromCents(tip) }),
    ...(customer !== undefined && { customerId: customer.id }),
    ...(foreign !== undefined && { foreign }),
    // Any payment may be the last one: another device may have taken the rest.
    ...(fiscal !== undefined && { fiscal }),
  };
}

/** Returns what is charged to a card, or refunded when a payment is taken back. */
export function withTip({ amount, tip = 0 }: Pick<Payment, "amount" | "tip">): number {
  return sum([amount, tip]);
}
