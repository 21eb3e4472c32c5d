import type { ForeignCash, ForeignCurrency } from "@comanda/protocol";
import { divide, exact, multiply, roundTo, toNumber } from "../exact.ts";

/** Returns the value of foreign cash in pesos, to the currency's multiple (halves up), or to the cent if it has none. */
export function foreignValue(
  { amount, rate }: Pick<ForeignCash, "amount" | "rate">,
  { rounding }: Pick<ForeignCurrency, "rounding">,
): number {
  const worth = multiply(exact(amount), exact(rate));
  if (rounding === 0) return toNumber(roundTo(2, worth));
  const multiples = roundTo(0, divide(worth, exact(rounding)));
  return toNumber(roundTo(2, multiply(multiples, exact(rounding))));
}
