import type { Snapshot, StoredLine, TakenOff, TakenOffGroup } from "@comanda/protocol";
import { placeOf } from "../checks/place-of.ts";
import { subtract, sum } from "../money/amounts.ts";
import type { TaxRules } from "../money/pricing/taxes-by-name.ts";
import { voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { lineDiscountValue, lineValue, listValue, type ValueRules } from "./line-values.ts";
import type { SoldCheck } from "./sold-check.ts";

/** What discounts, voids and comps took off, and what else stands on the checks beside their lines. */
export function createTakenOff({ taxes, rounding }: TaxRules) {
  const discounts: TakenOff[] = [];
  const voids: TakenOff[] = [];
  const comps: TakenOff[] = [];
  let charges = 0;
  let rounded = 0;

  const valueRules = ({ orderType }: Pick<Snapshot, "orderType">): ValueRules => ({ orderType, taxes, rounding });

  function addVoids(check: SoldCheck): void {
    for (const line of check.lines) {
      const quantity = voidedQuantityOf(line);
      if (line.comp === true) addComp(check, line, quantity);
      else if (quantity > 0) {
        voids.push(takenOffLine(check, line, { quantity, amount: lineValue(line, quantity, valueRules(check)) }));
      }
    }
  }

  function addComp(check: SoldCheck, line: StoredLine, quantity: number): void {
    if (quantity <= 0) return;
    comps.push(takenOffLine(check, line, { quantity, amount: listValue(line, quantity, valueRules(check)) }));
  }

  function addDiscounts(check: SoldCheck): void {
    for (const { kind, amount, reason, by } of check.adjustments ?? []) {
      if (kind === "rounding") rounded = sum([rounded, amount]);
      else if (kind !== "discount") charges = sum([charges, amount]);
      else {
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
      discounts.push(takenOffLine(check, line, { quantity: chargedQuantity(line), amount }));
    }
  }

  return {
    addCheck(check: SoldCheck): void {
      addDiscounts(check);
      addVoids(check);
    },

    /** What the kitchen had of a check that was discarded was made for nothing, but for what had been given away of it. */
    addDiscarded(check: SoldCheck, reason: string | null): void {
      for (const line of check.lines) {
        const { sentQuantity = 0 } = line;
        const given = line.comp === true ? Math.min(sentQuantity, voidedQuantityOf(line)) : 0;
        addComp(check, line, given);
        const quantity = subtract(sentQuantity, given);
        if (quantity <= 0) continue;
        const amount = lineValue(line, quantity, valueRules(check));
        const about = takenOffLine(check, line, { quantity, amount });
        // One that was void before has a reason of its own.
        const why = line.voided === true ? (about.reason ?? reason) : reason;
        voids.push({ ...about, reason: why, isDiscarded: true });
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

/** The same by what each says of itself, a reason or a person for example; those that brought most first. */
export function takenOffBy(list: readonly TakenOff[], nameOf: (each: TakenOff) => string | null): TakenOffGroup[] {
  const groups = new Map<string | null, TakenOffGroup>();
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

function takenOffLine(
  check: SoldCheck,
  { productId, voidReason }: StoredLine,
  { quantity, amount }: { quantity: number; amount: number },
): TakenOff {
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
