import type { BackOfficeTax, Snapshot } from "@comanda/protocol";
import { fromCents, sum } from "../money/amounts.ts";
import { splitAmount } from "../money/split.ts";
import { taxesByName, type TaxRules } from "../money/pricing/taxes-by-name.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import type { RefundOfCheck } from "../sales/sold-check.ts";
import { refundedLines } from "../sales/sold-dishes.ts";

/** Returns whether a tax is the legal tip: it is named so, or is charged only at tables. */
export function isLegalTip({ name, orderTypes }: Pick<BackOfficeTax, "name" | "orderTypes">): boolean {
  return /propina/i.test(name) || (orderTypes.length > 0 && orderTypes.every((type) => type === "dine_in"));
}

/** Returns the voluntary tips that are part of a check's total. */
export function tipInTotal({ adjustments = [] }: Pick<Snapshot, "adjustments">): number {
  return sum(adjustments.flatMap(({ kind, amount }) => (kind === "tip" ? [amount] : [])));
}

/** Returns the tips of a check: the legal one from its taxes, and voluntary ones from its payments and its total. */
export function tipsOfCheck(
  check: Pick<Snapshot, "lines" | "orderType" | "adjustments" | "payments" | "tenders">,
  menu: TaxRules,
): { legal: number; voluntary: number } {
  return {
    legal: legalTipOf(check, menu),
    voluntary: sum([...paymentsOf(check).map(({ tip = 0 }) => tip), tipInTotal(check)]),
  };
}

/** Returns the refunded part of the legal tip; 0 for a check that is no longer stored. */
export function refundedLegalTip(refunded: RefundOfCheck, menu: TaxRules): number {
  const { check } = refunded;
  return check === null ? 0 : legalTipOf({ orderType: check.orderType, lines: refundedLines(check, refunded) }, menu);
}

function legalTipOf(sold: Pick<Snapshot, "lines" | "orderType">, menu: TaxRules): number {
  const names = new Set(menu.taxes.filter(isLegalTip).map(({ name }) => name));
  const legal = taxesByName(sold, menu, "").filter(({ name }) => names.has(name));
  return sum(legal.map(({ cents }) => fromCents(cents)));
}

/** Divides tips by the restaurant's shares. The parts add up to the amount. */
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
