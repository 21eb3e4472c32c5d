import type { ForeignCash, ForeignCurrency } from "@comanda/protocol";
import { fromCents, toCents } from "../amounts.ts";
import { type Asked, cashProposals } from "./cash.ts";
import { divide, exact, multiply, roundTo, toNumber } from "../exact.ts";

/** What foreign cash is worth in pesos: to the nearest multiple that the house takes, halves up; without one to the cent. */
export function foreignValue(
  { amount, rate }: Pick<ForeignCash, "amount" | "rate">,
  { rounding }: Pick<ForeignCurrency, "rounding">,
): number {
  const worth = multiply(exact(amount), exact(rate));
  if (rounding === 0) return toNumber(roundTo(2, worth));
  const multiples = roundTo(0, divide(worth, exact(rounding)));
  return toNumber(roundTo(2, multiply(multiples, exact(rounding))));
}

/** What may be handed over in another currency for an amount in cents of pesos: in its cents, rising. */
export function foreignProposals(asked: Asked, currency: ForeignCurrency): number[] {
  const pesos = asked.amount + asked.tip;
  const isEnough = (units: number): boolean => toCents(foreignValue({ ...currency, amount: units }, currency)) >= pesos;
  let units = Math.max(1, Math.floor(fromCents(pesos) / currency.rate));
  while (!isEnough(units)) units += 1;
  const exactly = toCents(units);
  return [...new Set([exactly, ...cashProposals({ amount: exactly, tip: 0 }, currency.code)])].toSorted(
    (one, other) => one - other,
  );
}
