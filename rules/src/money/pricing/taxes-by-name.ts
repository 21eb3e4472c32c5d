import type { BackOfficeTax, Rounding, Snapshot, StoredLine } from "@comanda/protocol";
import { fromCents, toCents } from "../amounts.ts";
import { extrasOf } from "./extras-of.ts";
import { priceLine, type LineToPrice, type PricingRules } from "./price-line.ts";
import { splitAmount } from "../split.ts";

/** The menu's taxes and its rounding; a menu that tells none rounds each line. */
export interface TaxRules {
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

/** What is charged of one tax, in cents. */
interface TaxShare {
  name: string;
  cents: number;
}

/**
 * The tax of a check by name, in the menu's order. It adds up to what the lines carry: where a line is not priced as the
 * menu prices it (a share of a split one, another system's), its tax is divided by the rates. Tax of unknown kind has the
 * name `otherName`.
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
    const ofLine = taxes.filter(({ id }) => line.taxIds?.some((taxId) => String(taxId) === String(id)) === true);
    const shares = sharesOf(line, ofLine, { orderType, rounding });
    for (const [index, cents] of shares.entries()) add(ofLine[index]?.name ?? otherName, cents);
    if (shares.length === 0) add(otherName, charged);
  }
  const order = [...taxes.map(({ name }) => name), otherName];
  return [...new Set(order)].flatMap((name) => {
    const cents = sums.get(name) ?? 0;
    return cents === 0 ? [] : [{ name, cents }];
  });
}

/** The tax of a line, in cents for each of its taxes; none where it has no tax of the menu. */
function sharesOf(line: StoredLine, taxes: readonly BackOfficeTax[], rules: PricingRules): number[] {
  const charged = line.taxAmount ?? 0;
  const rates = taxes.map(({ rate }) => Math.max(0, rate));
  if (!rates.some((rate) => rate > 0)) return [];
  const priced = pricedTaxes(line, taxes, rules);
  const fits = priced !== null && priced.reduce((sum, cents) => sum + cents, 0) === toCents(charged);
  return fits ? priced : splitAmount(fromCents(toCents(charged)), rates).map(toCents);
}

/** As the menu would price it; null for a line that carries no price of its own. */
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
    // Another system's line: its discount is none of ours.
    return null;
  }
}
