import type { Customer, FiscalRequest, ForeignCash, Payment, PaymentMethod } from "@comanda/protocol";
import { fromCents, sum, type Taken } from "@comanda/rules";
import type { TenderIntent } from "@comanda/terminal";

/** A customer who was found, for the fiscal number or for credit. */
export type ChosenCustomer = Pick<Customer, "id" | "name">;

export interface PaymentToTake {
  method: PaymentMethod;
  taken: Taken;
  /** Of a method on credit. */
  customer?: ChosenCustomer;
  /** Cash of another country, of which `taken` is the value. */
  foreign?: ForeignCash | undefined;
  fiscal: FiscalRequest | undefined;
}

/** The payment as the hub takes it: cash says what was handed over, with the tip in it. */
export function tenderOf({ method, taken, customer, foreign, fiscal }: PaymentToTake): TenderIntent {
  const { amount, tip, change } = taken;
  const handed = { tendered: fromCents(amount + tip + change), change: fromCents(change) };
  return {
    methodId: method.id,
    amount: fromCents(amount),
    ...(method.type === "cash" && handed),
    ...(tip > 0 && { tip: fromCents(tip) }),
    ...(customer !== undefined && { customerId: customer.id }),
    ...(foreign !== undefined && { foreign }),
    // Any payment may turn out to be the last one: another device may have taken the rest.
    ...(fiscal !== undefined && { fiscal }),
  };
}

/** What is put on a card, or goes back to the guest where a payment is taken back. */
export function withTip({ amount, tip = 0 }: Pick<Payment, "amount" | "tip">): number {
  return sum([amount, tip]);
}
