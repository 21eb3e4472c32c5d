import { chargedQuantity, lineDiscount, splitLine, subtract } from "@comanda/rules";
import type { OrderLine } from "./order-content.ts";

/** What of these lines is more than there was: new lines, and the rest of those of which more was ordered. */
export function addedLines(before: readonly OrderLine[], after: readonly OrderLine[]): OrderLine[] {
  const known = new Map(before.map((line) => [line.id, line]));
  return after.flatMap((line) => {
    const was = known.get(line.id);
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
 * What a line with a fixed discount came to beyond what it came to before: what was given is not given again. Null where it
 * has none, or has less of it or another price than it had, or a share in per cent: then it is parted.
 */
function beyond(was: OrderLine, line: OrderLine): Partial<OrderLine> | null {
  const fixed = lineDiscount(line, "amount");
  const amount = subtract(fixed, lineDiscount(was, "amount"));
  const rest = (field: "total" | "taxAmount"): number => subtract(line[field] ?? 0, was[field] ?? 0);
  // A share in per cent counts before an amount: what it was worth is no part of the difference.
  const isFixed = fixed > 0 && [was, line].every((each) => lineDiscount(each, "percent") === 0);
  const isMore = was.unitPrice === line.unitPrice && chargedQuantity(was) > 0 && amount >= 0 && rest("total") >= 0;
  if (!isFixed || !isMore) return null;
  return { total: rest("total"), taxAmount: rest("taxAmount"), ...(amount > 0 && { discount: { amount } }) };
}
