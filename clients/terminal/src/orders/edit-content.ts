import { lineDiscount, proportionOf, splitLine as splitAmounts, subtract, sum } from "@comanda/rules";
import { totalsOfContent } from "./merge-totals.ts";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";
import { repriceLine, type PricedMenu } from "./reprice-line.ts";

/** Adds the line; the totals become the sum of the lines and the adjustments. */
export function addLine(content: OrderContent, line: OrderLine): OrderContent {
  return withLines(content, [...linesOf(content), line]);
}

/** The line of this content with another quantity, and another void one. */
export function withQuantity(
  line: OrderLine,
  quantity: number,
  by: { content: OrderContent; menu: PricedMenu | null; voidedQuantity?: number },
): OrderLine {
  const { content, menu, voidedQuantity = line.voidedQuantity ?? 0 } = by;
  const sized = scaled(line, { quantity, voidedQuantity });
  return menu === null ? sized : repriceLine(sized, content.orderType ?? "dine_in", menu);
}

/**
 * For a line that the kitchen already has: it stays on the check but no longer counts, the whole or `quantity` of it. Less
 * than before makes the rest count again, and 0 all of it. `comp`: it was given away.
 */
export function voidLine(
  content: OrderContent,
  lineId: string,
  { quantity, reason, comp }: { quantity?: number | undefined; reason?: string | undefined; comp?: true } = {},
): OrderContent {
  return changeLine(content, lineId, (line) => {
    const why = { ...(reason !== undefined && { voidReason: reason }), ...(comp && { comp }) };
    if (quantity === undefined || quantity >= line.quantity) return { ...line, ...why, voided: true };
    const { voided: _, ...counted } = line;
    return { ...scaled(counted, { voidedQuantity: quantity }), ...why };
  });
}

export interface LinePart {
  lineId: string;
  quantity?: number | undefined;
}

/**
 * Takes lines off, or lowers them to `quantity`. With `newId` what is taken stays on the check as new lines, which the
 * kitchen does not have.
 */
export function takeBackLines(content: OrderContent, parts: readonly LinePart[], newId?: () => string): OrderContent {
  const kept: OrderLine[] = [];
  const keep = (line: OrderLine) => {
    const { splitOf: _, splitFrom: __, ...own } = line;
    if (newId !== undefined) kept.push({ ...own, id: newId() });
  };
  const lines = linesOf(content).flatMap((line) => {
    const part = parts.find(({ lineId }) => lineId === line.id);
    const { quantity = 0 } = part ?? {};
    if (part === undefined || quantity >= line.quantity) return [line];
    const [rest, taken] = quantity === 0 ? [null, line] : splitInTwo(line, subtract(line.quantity, quantity));
    keep(taken);
    return rest === null ? [] : [rest];
  });
  return withLines(content, [...lines, ...kept]);
}

/**
 * Moves lines, or parts of them, from one check to another. A part is a new line that names its origin (`splitOf`,
 * `splitFrom`), so that the kitchen knows it as the same dish; the two together cost what the line did. Between a check that
 * is eaten here and one that is not, what moves is priced again by `menu`.
 */
export function moveLines(
  from: { posReference: string; content: OrderContent },
  into: OrderContent,
  parts: readonly LinePart[],
  newId: () => string,
  menu: PricedMenu | null = null,
): { from: OrderContent; into: OrderContent } {
  const wanted = new Map(parts.map((part) => [part.lineId, part]));
  const taken = new Set(linesOf(into).map((line) => line.id));
  const stays: OrderLine[] = [];
  const goes: OrderLine[] = [];
  for (const line of linesOf(from.content)) {
    const part = wanted.get(line.id);
    const origin = { splitOf: line.id, splitFrom: from.posReference };
    if (part === undefined) stays.push(line);
    else if (part.quantity !== undefined && part.quantity < line.quantity) {
      const [rest, moved] = splitInTwo(line, part.quantity);
      stays.push(rest);
      goes.push({ ...moved, id: newId(), ...origin });
    } else goes.push(taken.has(line.id) ? { ...line, id: newId(), ...origin } : line);
  }
  const { orderType = "dine_in" } = into;
  const isPricedAnew = menu !== null && orderType !== (from.content.orderType ?? "dine_in");
  const arrive = isPricedAnew ? goes.map((line) => repriceLine(line, orderType, menu)) : goes;
  return { from: withLines(from.content, stays), into: withLines(into, [...linesOf(into), ...arrive]) };
}

/** Parts one line of a check in two lines of the same check: `quantity` of it becomes the line `newId`. */
export function splitLine(content: OrderContent, lineId: string, quantity: number, newId: string): OrderContent {
  const lines = linesOf(content).flatMap((line) => {
    if (line.id !== lineId || quantity >= line.quantity) return [line];
    const [rest, part] = splitInTwo(line, quantity);
    return [rest, { ...part, id: newId, splitOf: lineId }];
  });
  return withLines(content, lines);
}

/** All lines and adjustments of one check go to another, which names no guests: the rules add up those of both. */
export function mergeChecks(
  from: { posReference: string; content: OrderContent },
  into: OrderContent,
  newId: () => string,
  menu: PricedMenu | null = null,
): { from: OrderContent; into: OrderContent } {
  const all = linesOf(from.content).map(({ id }) => ({ lineId: id }));
  const adjustments = [...(into.adjustments ?? []), ...(from.content.adjustments ?? [])];
  const rest: OrderContent = { ...from.content, adjustments: [] };
  const { guestCount: _, ...target } = into;
  const joined: OrderContent = adjustments.length === 0 ? target : { ...target, adjustments };
  return moveLines({ ...from, content: rest }, joined, all, newId, menu);
}

/** The same line with the rest of its quantity, and with `quantity` of it: together they cost what the line did. */
export function splitInTwo(line: OrderLine, quantity: number): [rest: OrderLine, part: OrderLine] {
  const { voidedQuantity: voided = 0, ...plain } = line;
  const sizes = [subtract(line.quantity, quantity), quantity] as const;
  // What is void stays with the rest as far as it has room.
  const voids = [Math.min(voided, sizes[0]), subtract(voided, Math.min(voided, sizes[0]))] as const;
  const charged = [subtract(sizes[0], voids[0]), subtract(sizes[1], voids[1])];
  const { discount } = line;
  const isCharged = charged.some((each) => each > 0);
  const [rest, part] = isCharged ? splitAmounts(line, charged) : splitAmounts({ discount }, sizes);
  const sized = (index: 0 | 1, amounts: object | undefined): OrderLine => ({
    ...plain,
    ...amounts,
    quantity: sizes[index],
    ...(voids[index] !== 0 && { voidedQuantity: voids[index] }),
  });
  return [sized(0, rest), sized(1, part)];
}

/** A line with a part of it put back: together they cost what they did. */
export function joinLines(line: OrderLine, part: OrderLine): OrderLine {
  const joined = { ...line };
  for (const field of ["quantity", "voidedQuantity", "total", "taxAmount"] as const) {
    const more = part[field];
    if (more !== undefined) joined[field] = sum([line[field] ?? 0, more]);
  }
  const amount = sum([line, part].map((each) => lineDiscount(each, "amount")));
  const { discount } = line;
  return amount === 0 ? joined : { ...joined, discount: { ...(discount as object | undefined), amount } };
}

/** A line with another quantity or void quantity, its amounts in proportion to what counts. */
function scaled(line: OrderLine, sizes: { quantity?: number; voidedQuantity?: number }): OrderLine {
  const { voidedQuantity: former = 0, ...plain } = line;
  const { quantity = line.quantity, voidedQuantity = former } = sizes;
  const counted = subtract(line.quantity, former);
  const proportion = (amount: number): number =>
    counted === 0 ? 0 : proportionOf(amount, subtract(quantity, voidedQuantity), counted);
  return {
    ...plain,
    quantity,
    ...(voidedQuantity !== 0 && { voidedQuantity }),
    ...(line.total !== undefined && { total: proportion(line.total) }),
    ...(line.taxAmount !== undefined && { taxAmount: proportion(line.taxAmount) }),
  };
}

/** The content with this line changed. */
export function changeLine(
  content: OrderContent,
  lineId: string,
  change: (line: OrderLine) => OrderLine,
): OrderContent {
  return withLines(
    content,
    linesOf(content).map((line) => (line.id === lineId ? change(line) : line)),
  );
}

/** The content with these lines, and the totals that follow from them and the adjustments. */
export function withLines(content: OrderContent, lines: OrderLine[]): OrderContent {
  return { ...content, lines, totals: totalsOfContent({ ...content, lines }) };
}
