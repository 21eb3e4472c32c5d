import type { Snapshot, StoredLine, Reduction, ReductionGroup } from "@comanda/protocol";
import { placeOf } from "../checks/place-of.ts";
import { subtract, sum } from "../money/amounts.ts";
import type { TaxRules } from "../money/pricing/taxes-by-name.ts";
import { sentVoidedQuantityOf, voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { lineDiscountValue, lineValue, listValue, type ValueRules } from "./line-values.ts";
import type { SoldCheck } from "./sold-check.ts";

/** Collects what discounts, voids and comps took off, and the other adjustments of checks. */
export function createReductions({ taxes, rounding }: TaxRules) {
  const discounts: Reduction[] = [];
  const voids: Reduction[] = [];
  const comps: Reduction[] = [];
  let charges = 0;
  let rounded = 0;

  const valueRules = ({ orderType }: Pick<Snapshot, "orderType">): ValueRules => ({ orderType, taxes, rounding });

  function addVoids(check: SoldCheck): void {
    for (const line of check.lines) {
      const quantity = voidedQuantityOf(line);
      if (line.comp === true) addComp(check, line, quantity);
      else addVoid(check, line, { quantity });
    }
  }

  function addVoid(
    check: SoldCheck,
    line: StoredLine,
    { quantity, ...more }: { quantity: number } & Partial<Pick<Reduction, "reason" | "isDiscarded">>,
  ): void {
    if (quantity <= 0) return;
    const amount = lineValue(line, quantity, valueRules(check));
    voids.push({ ...reductionOfLine(check, line, { quantity, amount }), ...allowedBy(check, line), ...more });
  }

  function addComp(check: SoldCheck, line: StoredLine, quantity: number): void {
    if (quantity <= 0) return;
    const amount = listValue(line, quantity, valueRules(check));
    comps.push({ ...reductionOfLine(check, line, { quantity, amount }), ...allowedBy(check, line) });
  }

  function addDiscounts(check: SoldCheck): void {
    for (const { kind, amount, reason, by } of check.adjustments ?? []) {
      if (kind === "rounding") rounded = sum([rounded, amount]);
      else if (kind !== "discount") charges = sum([charges, amount]);
      // A discount may be limited to nothing (PRICE-85).
      else if (amount !== 0) {
        discounts.push({
          posReference: check.posReference,
          place: placeOf(check),
          staffName: check.staffName ?? null,
          amount: -amount,
          reason: reason ?? null,
          ...(by !== undefined && { by }),
        });
      }
    }
    for (const line of check.lines) {
      const amount = lineDiscountValue(line, valueRules(check));
      if (amount === 0) continue;
      discounts.push(reductionOfLine(check, line, { quantity: chargedQuantity(line), amount }));
    }
  }

  return {
    addCheck(check: SoldCheck): void {
      addDiscounts(check);
      addVoids(check);
    },

    /** Adds the sent dishes of a check that a person discarded as voids, except for those that were comps. */
    addDiscarded(check: SoldCheck, reason: string | null, by: string | null = null): void {
      for (const line of check.lines) {
        const { sentQuantity = 0, comp } = line;
        // Dishes that were given away or void before the discard keep their own reason.
        const before = comp === true ? Math.min(sentQuantity, voidedQuantityOf(line)) : sentVoidedQuantityOf(line);
        if (comp === true) addComp(check, line, before);
        else addVoid(check, line, { quantity: before, reason: line.voidReason ?? reason, isDiscarded: true });
        const discarded = { ...line, voidedBy: by ?? undefined };
        addVoid(check, discarded, { quantity: subtract(sentQuantity, before), reason, isDiscarded: true });
      }
    },

    read: () => ({
      discounts: discounts.toSorted(largestFirst),
      voids: voids.toSorted(largestFirst),
      comps: comps.toSorted(largestFirst),
      charges,
      rounding: rounded,
    }),
  };
}

/** Groups reductions by name, such as a reason or a person, the largest sum first. */
export function groupReductions(
  list: readonly Reduction[],
  nameOf: (each: Reduction) => string | null,
): ReductionGroup[] {
  const groups = new Map<string | null, ReductionGroup>();
  for (const each of list) {
    const name = nameOf(each);
    const { count = 0, amount = 0 } = groups.get(name) ?? {};
    groups.set(name, { name, count: count + 1, amount: sum([amount, each.amount]) });
  }
  return [...groups.values()].toSorted(largestFirst);
}

function largestFirst(one: { amount: number }, other: { amount: number }): number {
  return other.amount - one.amount;
}

function reductionOfLine(
  check: SoldCheck,
  { productId, voidReason }: StoredLine,
  { quantity, amount }: { quantity: number; amount: number },
): Reduction {
  return {
    posReference: check.posReference,
    place: placeOf(check),
    staffName: check.staffName ?? null,
    amount,
    reason: voidReason ?? null,
    productId: productId === undefined ? null : String(productId),
    quantity,
  };
}

/** Who allowed a void or comp, unless that is the owner of the check. */
function allowedBy({ staffName }: SoldCheck, { voidedBy }: StoredLine): Pick<Reduction, "by"> {
  return voidedBy === undefined || voidedBy === staffName ? {} : { by: voidedBy };
}
