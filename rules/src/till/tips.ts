import type { BackOfficeTax, Rounding, Snapshot } from "@comanda/protocol";
import { fromCents, sum } from "../money/amounts.ts";
import { splitAmount } from "../money/split.ts";
import { taxesByName } from "../money/pricing/taxes-by-name.ts";
import { paymentsOf } from "../payments/brought-payments.ts";

/** The tax by which the law has guests tip: charged at tables alone, or called so. */
export function isLegalTip({ name, orderTypes }: Pick<BackOfficeTax, "name" | "orderTypes">): boolean {
  return /propina/i.test(name) || (orderTypes.length > 0 && orderTypes.every((type) => type === "dine_in"));
}

/** What of a check's total its guests gave on top. */
export function tipInTotal({ adjustments = [] }: Pick<Snapshot, "adjustments">): number {
  return sum(adjustments.flatMap(({ kind, amount }) => (kind === "tip" ? [amount] : [])));
}

/** The tips of a check: the legal one among its taxes, and what its guests gave on top, with a payment or as part of its total. */
export function tipsOfCheck(
  check: Pick<Snapshot, "lines" | "orderType" | "adjustments" | "payments" | "tenders">,
  menu: { taxes: readonly BackOfficeTax[]; rounding?: Rounding | undefined },
): { legal: number; voluntary: number } {
  const names = new Set(menu.taxes.filter(isLegalTip).map(({ name }) => name));
  const legal = taxesByName(check, menu, "").filter(({ name }) => names.has(name));
  return {
    legal: sum(legal.map(({ cents }) => fromCents(cents))),
    voluntary: sum([...paymentsOf(check).map(({ tip = 0 }) => tip), tipInTotal(check)]),
  };
}

/** How the house divides tips; the parts add up to them. */
export function shareTips(
  amount: number,
  shares: Readonly<Record<string, number>>,
): { who: string; percent: number; amount: number }[] {
  const parties = Object.entries(shares);
  const parts = splitAmount(
    amount,
    parties.map(([, percent]) => percent),
  );
  return parties.map(([who, percent], index) => ({ who, percent, amount: parts[index] ?? 0 }));
}
