import type { ForeignCash, ForeignCurrency, Payment } from "@comanda/protocol";
import type { RuleContext } from "../context.ts";
import { foreignValue } from "../money/cash/foreign-cash.ts";
import { cashAmong } from "./payment-methods.ts";

/** Foreign cash was valued at a rate other than the current one. */
export interface RateChanged {
  code: "RATE_CHANGED";
  values: { currency: string; sent: number; now: number };
}

/**
 * Returns the payments with the value of their foreign cash in pesos as `tendered`, ignoring the terminal's own; change is in
 * pesos. A rate that was valid when the payment was queued is accepted; a terminal cannot check that and accepts any.
 * Null if the restaurant does not accept this cash.
 */
export function valueForeign(
  payments: readonly Payment[],
  { menu, hub, queuedAt }: RuleContext,
): { payments: Payment[] } | { refusal: RateChanged } | null {
  const isCash = cashAmong(payments, menu?.paymentMethods ?? null);
  const valued: Payment[] = [];
  for (const payment of payments) {
    const { foreign } = payment;
    if (foreign === undefined) {
      valued.push(payment);
      continue;
    }
    const { currency, rate } = foreign;
    const current = menu?.currencies?.find(({ code }) => code === currency);
    const formerly = hub === null || menu === null ? (current ?? UNROUNDED) : hub.formerRate(currency, rate, queuedAt);
    const counting = current?.rate === rate ? current : formerly;
    if (counting === null && current !== undefined) {
      return { refusal: { code: "RATE_CHANGED", values: { currency, sent: rate, now: current.rate } } };
    }
    if (counting === null || !isCash({ ...payment, tendered: 0 })) return null;
    valued.push(valuedAt(payment, foreign, counting));
  }
  return { payments: valued };
}

/** Like `valueForeign`, but at each payment's own rate, for money that was already taken. */
export function valueAtOwnRates(
  payments: readonly Payment[],
  currencies: readonly ForeignCurrency[] | undefined,
): Payment[] {
  return payments.map((payment) => {
    const { foreign } = payment;
    if (foreign === undefined) return payment;
    return valuedAt(payment, foreign, currencies?.find(({ code }) => code === foreign.currency) ?? UNROUNDED);
  });
}

const UNROUNDED = { rounding: 0 };

function valuedAt(
  { tendered: _tendered, change: _change, ...payment }: Payment,
  foreign: ForeignCash,
  currency: Pick<ForeignCurrency, "rounding">,
): Payment {
  return { ...payment, tendered: foreignValue(foreign, currency) };
}
