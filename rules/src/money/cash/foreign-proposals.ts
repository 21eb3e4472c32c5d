import type { ForeignCurrency } from "@comanda/protocol";
import { fromCents, toCents } from "../amounts.ts";
import { type Charge, cashProposals } from "./cash.ts";
import { foreignValue } from "./foreign-cash.ts";

/** Returns proposed amounts in a foreign currency, in its cents and ascending, for an amount in cents of pesos. */
export function foreignProposals(charge: Charge, currency: ForeignCurrency): number[] {
  const pesos = charge.amount + charge.tip;
  const isEnough = (units: number): boolean => toCents(foreignValue({ ...currency, amount: units }, currency)) >= pesos;
  let units = Math.max(1, Math.floor(fromCents(pesos) / currency.rate));
  while (!isEnough(units)) units += 1;
  const exactly = toCents(units);
  return [...new Set([exactly, ...cashProposals({ amount: exactly, tip: 0 }, currency.code)])].toSorted(
    (one, other) => one - other,
  );
}
