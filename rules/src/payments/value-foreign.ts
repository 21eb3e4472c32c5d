import type { ForeignCash, ForeignCurrency, Payment } from "@comanda/protocol";
import type { RuleContext } from "../context.ts";
import { foreignValue } from "../money/foreign-cash.ts";
import { cashAmong } from "./payment-methods.ts";

/** Why foreign cash is not taken. */
export type ForeignRefusal =
  /** It was valued at another rate than the house's now. */
  | { code: "RATE_CHANGED"; values: { currency: string; sent: number; now: number } }
  | { code: "FOREIGN_NOT_TAKEN"; values: { currency: string } };

/**
 * The payments with what their foreign cash is worth as `tendered`, whatever the terminal made of it; change is in pesos. A
 * rate that was the house's when the payment was queued counts; a terminal, which cannot know, goes by the payment's own.
 */
export function valueForeign(
  payments: readonly Payment[],
  context: RuleContext,
): { payments: Payment[] } | { refusal: ForeignRefusal } {
  const isCash = cashAmong(payments, context.menu?.paymentMethods ?? null);
  const valued: Payment[] = [];
  for (const payment of payments) {
    const { foreign } = payment;
    if (foreign === undefined) {
      valued.push(payment);
      continue;
    }
    const { currency, rate } = foreign;
    const known = context.menu?.currencies?.find(({ code }) => code === currency);
    const counting = rateThatCounts(foreign, known, context);
    if (counting === null && known !== undefined) {
      return { refusal: { code: "RATE_CHANGED", values: { currency, sent: rate, now: known.rate } } };
    }
    if (counting === null || !isCash({ ...payment, tendered: 0 })) {
      return { refusal: { code: "FOREIGN_NOT_TAKEN", values: { currency } } };
    }
    valued.push(valuedAt(payment, foreign, counting));
  }
  return { payments: valued };
}

/** As `valueForeign`, each at its own rate: for money that was taken. */
export function valueAsTaken(
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

function rateThatCounts(
  { currency, rate }: ForeignCash,
  known: ForeignCurrency | undefined,
  { hub, menu, queuedAt }: RuleContext,
): Pick<ForeignCurrency, "rounding"> | null {
  if (known?.rate === rate) return known;
  if (hub === null || menu === null) return known ?? UNROUNDED;
  return queuedAt === null ? null : hub.formerRate(currency, rate, queuedAt);
}
