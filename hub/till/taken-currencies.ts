import type { ForeignCurrency } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";

/**
 * Throws VALIDATION_ERROR where money is named in another currency than these; null where they were never read. Nothing of
 * one is no money: a terminal names with each count whatever its menu has, which may be of before.
 */
export function requireTaken(
  field: string,
  named: readonly { currency?: string | undefined; amount: number }[],
  taken: readonly Pick<ForeignCurrency, "code">[] | null,
): void {
  for (const { currency, amount } of named) {
    if (currency === undefined || amount === 0 || taken === null || taken.some(({ code }) => code === currency))
      continue;
    throw new HubError("VALIDATION_ERROR", `${field}: ${currency} is not taken here`);
  }
}
