import type { BackOfficeTax, Rounding, Snapshot, StoredLine } from "@comanda/protocol";
import { fromCents, toCents } from "../amounts.ts";
import { extrasOf } from "./extras-of.ts";
import { priceLine, type LineToPrice, type PricingRules } from "./price-line.ts";
import { splitAmount } from "../split.ts";

/** The menu's taxes and its rounding, which is per line if absent. */
export interface TaxRules {
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

/** The charged amount of one tax, in cents. */
interface TaxShare {
  name: string;
  cents: number;
}

/**
 * Returns the tax of a check by name, in the menu's order. It adds up to the tax of its lines. If a line's tax is not what the
 * menu would charge (a part of a split, another system's line), it is distributed by the tax rates. Tax that cannot be
 * attributed has the name `otherName`.
 */
export function taxesByName(
  { lines, orderType }: Pick<Snapshot, "lines" | "orderType">,
  { taxes, rounding }: TaxRules,
  otherName: string,
): TaxShare[] {
  const sums = new Map<string, number>();
  const add = (name: string, cents: number) => sums.set(name, (sums.get(name) ?? 0) + cents);
  for (const line of lines) {
    const charged = toCents(line.taxAmount ?? 0);
    if (line.voided === true || charged === 0) continue;
    const lineTaxes = taxes.filter(({ id }) => line.taxIds?.some((taxId) => String(taxId) === String(id)) === true);
    const shares = sharesOf(line, lineTaxes, { orderType, rounding });
    for (const [index, cents] of shares.entries()) add(lineTaxes[index]?.name ?? otherName, cents);
    if (shares.length === 0) add(otherName, charged);
  }
  const order = [...taxes.map(({ name }) => name), otherName];
  return [...new Set(order)].flatMap((name) => {
    const cents = sums.get(name) ?? 0;
    return cents === 0 ? [] : [{ name, cents }];
  });
}

/** Returns a line's tax in cents for each of its taxes; empty if none of them is in the menu. */
function sharesOf(line: StoredLine, taxes: readonly BackOfficeTax[], rules: PricingRules): number[] {
  const charged = line.taxAmount ?? 0;
  const rates = taxes.map(({ rate }) => Math.max(0, rate));
  if (!rates.some((rate) => rate > 0)) return [];
  const priced = pricedTaxes(line, taxes, rules);
  const fits = priced !== null && priced.reduce((sum, cents) => sum + cents, 0) === toCents(charged);
  return fits ? priced : splitAmount(fromCents(toCents(charged)), rates).map(toCents);
}

/** Returns the taxes as the menu would charge them; null for a line without a unit price. */
function pricedTaxes(line: StoredLine, taxes: readonly BackOfficeTax[], rules: PricingRules): number[] | null {
  const { unitPrice, quantity, voidedQuantity } = line;
  if (unitPrice === undefined) return null;
  const { discount } = line as Pick<LineToPrice, "discount">;
  try {
    const priced = priceLine(
      { unitPrice, quantity, voidedQuantity, modifiers: extrasOf(line), discount, taxes },
      rules,
    );
    return taxes.map(({ id }) => toCents(priced.taxes.find((tax) => tax.id === id)?.amount ?? 0));
  } catch {
    // A line of another system may have a discount in an unknown form.
    return null;
  }
}
