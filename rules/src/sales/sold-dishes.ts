import type { Refund, SalesReport, Snapshot, StoredLine } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { type LineQuantity, refundableLines, refundAmount, refundedPart } from "../refunds/refund-amounts.ts";
import type { RefundOfCheck, SoldCheck } from "./sold-check.ts";

type SoldDish = SalesReport["dishes"][number];

/** Sums up sales and refunds by dish; amounts of no dish are under null. */
export function createSoldDishes() {
  const dishes = new Map<string | null, SoldDish>();

  function dishOf(productId: string | null): SoldDish {
    const existing = dishes.get(productId);
    if (existing !== undefined) return existing;
    const dish = { productId, quantity: 0, refundedQuantity: 0, amount: 0, refunded: 0 };
    dishes.set(productId, dish);
    return dish;
  }

  function addToNone(side: "amount" | "refunded", rest: number): void {
    if (rest === 0) return;
    const none = dishOf(null);
    none[side] = sum([none[side], rest]);
  }

  return {
    addCheck(check: SoldCheck): void {
      const parts = refundableLines(check);
      for (const { lineId, quantity, amount } of parts) {
        const dish = dishOf(productOf(check, lineId));
        dish.quantity = sum([dish.quantity, quantity]);
        dish.amount = sum([dish.amount, amount]);
      }
      addToNone("amount", subtract(check.totals.total, sum(parts.map(({ amount }) => amount))));
    },

    addUnreadable: (total: number): void => addToNone("amount", total),

    addRefund({ refund, check, before }: RefundOfCheck): void {
      let rest = refund.amount;
      if (check !== null) {
        const refunded: LineQuantity[] = [...before];
        for (const line of linesOfRefund(refund, check, before)) {
          const amount = refundAmount(check, [line], refunded);
          refunded.push(line);
          const dish = dishOf(productOf(check, line.lineId));
          dish.refundedQuantity = sum([dish.refundedQuantity, line.quantity]);
          dish.refunded = sum([dish.refunded, amount]);
          rest = subtract(rest, amount);
        }
      }
      addToNone("refunded", rest);
    },

    read: (): SoldDish[] => [...dishes.values()],
  };
}

/** Returns the refunded lines. A note without lines was for everything that was left. */
function linesOfRefund(
  { lines }: Pick<Refund, "lines">,
  check: SoldCheck,
  before: readonly LineQuantity[],
): readonly LineQuantity[] {
  return lines.length > 0 ? lines : refundableLines(check, before);
}

/** Returns the refunded lines with their part of the tax. Over several refunds of a line, the parts add up. */
export function refundedLines(check: SoldCheck, { refund, before }: RefundOfCheck): StoredLine[] {
  return linesOfRefund(refund, check, before).flatMap(({ lineId, quantity }) => {
    const line = check.lines.find(({ id }) => id === lineId);
    if (line === undefined || chargedQuantity(line) <= 0) return [];
    const taxAmount = refundedPart(line.taxAmount ?? 0, line, before, quantity);
    return [{ id: line.id, quantity, taxIds: line.taxIds, taxAmount, unitPrice: line.unitPrice }];
  });
}

function productOf({ lines }: Pick<Snapshot, "lines">, lineId: string): string | null {
  const productId = lines.find(({ id }) => id === lineId)?.productId;
  return productId === undefined ? null : String(productId);
}
