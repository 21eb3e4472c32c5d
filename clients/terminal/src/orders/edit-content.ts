import { totalsOfLines } from "./merge-totals.ts";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";

/** Adds the line; the totals become the plain sum of the lines. */
export function addLine(content: OrderContent, line: OrderLine): OrderContent {
  return withLines(content, [...linesOf(content), line]);
}

/** Another quantity of a line, its amounts in proportion. */
export function changeQuantity(content: OrderContent, lineId: string, quantity: number): OrderContent {
  const change = (line: OrderLine): OrderLine => {
    if (line.id !== lineId) return line;
    const ratio = line.quantity === 0 ? 0 : quantity / line.quantity;
    return {
      ...line,
      quantity,
      ...(line.total === undefined ? {} : { total: round(line.total * ratio) }),
      ...(line.taxAmount === undefined ? {} : { taxAmount: round(line.taxAmount * ratio) }),
    };
  };
  return withLines(content, linesOf(content).map(change));
}

export function removeLine(content: OrderContent, lineId: string): OrderContent {
  return splitContent(content, new Set([lineId])).stays;
}

/** For a line that the kitchen already has: it stays on the check but no longer counts. */
export function voidLine(content: OrderContent, lineId: string): OrderContent {
  const voided = linesOf(content).map((line) => (line.id === lineId ? { ...line, voided: true } : line));
  return withLines(content, voided);
}

/** Splits a check in two: the named lines move to the second, which is otherwise like the first. */
export function splitContent(
  content: OrderContent,
  lineIds: ReadonlySet<string>,
): { stays: OrderContent; goes: OrderContent } {
  const stays = linesOf(content).filter((line) => !lineIds.has(line.id));
  const goes = linesOf(content).filter((line) => lineIds.has(line.id));
  return { stays: withLines(content, stays), goes: withLines(content, goes) };
}

function withLines(content: OrderContent, lines: OrderLine[]): OrderContent {
  return { ...content, lines, totals: totalsOfLines(lines) };
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
