import { chargedQuantity, lineDiscount, splitLine, subtract } from "@comanda/rules";
import type { OrderLine } from "./order-content.ts";

/** Returns what was added: new lines, and the additional quantity of existing ones. */
export function addedLines(before: readonly OrderLine[], after: readonly OrderLine[]): OrderLine[] {
  const linesById = new Map(before.map((line) => [line.id, line]));
  return after.flatMap((line) => {
    const was = linesById.get(line.id);
    const charged = chargedQuantity(line);
    const more = subtract(charged, was === undefined ? 0 : chargedQuantity(was));
    if (more <= 0) return [];
    const { splitOf: _, splitFrom: __, voidedQuantity: ___, voidReason: ____, ...own } = line;
    const rest = was === undefined ? null : beyond(was, line);
    if (rest === null) return [{ ...own, ...splitLine(line, [subtract(charged, more), more])[1], quantity: more }];
    const { discount: _____, ...full } = own;
    return [{ ...full, quantity: more, ...rest }];
  });
}

/**
 * Returns what a line with a fixed discount costs beyond its earlier cost, so that the earlier discount is not given again.
 * Returns null if there is no fixed discount, if it or the line decreased, if the price changed, or if there is a percentage.
 */
function beyond(was: OrderLine, line: OrderLine): Partial<OrderLine> | null {
  const fixed = lineDiscount(line, "amount");
  const amount = subtract(fixed, lineDiscount(was, "amount"));
  const rest = (field: "total" | "taxAmount"): number => subtract(line[field] ?? 0, was[field] ?? 0);
  // A percentage is taken off before the fixed amount, so the difference cannot be computed.
  const isFixed = fixed > 0 && [was, line].every((each) => lineDiscount(each, "percent") === 0);
  const isMore = was.unitPrice === line.unitPrice && chargedQuantity(was) > 0 && amount >= 0 && rest("total") >= 0;
  if (!isFixed || !isMore) return null;
  return { total: rest("total"), taxAmount: rest("taxAmount"), ...(amount > 0 && { discount: { amount } }) };
}
