import { lineDiscount, proportionOf, splitLine as splitAmounts, subtract, sum } from "@comanda/rules";
import { totalsOfContent } from "./merge-totals.ts";
import { linesOf, type OrderContent, type OrderLine } from "./order-content.ts";
import { repriceLine, type PricedMenu } from "./reprice-line.ts";

/** Adds a line and recomputes the totals. */
export function addLine(content: OrderContent, line: OrderLine): OrderContent {
  return withLines(content, [...linesOf(content), line]);
}

/** Returns the line with another quantity and voided quantity, priced again if the menu is known. */
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
 * Voids a line that the kitchen already has, or `quantity` of it: it stays on the check without being charged. A lower
 * quantity than before charges the rest again, and 0 all of it. `comp`: it was given away.
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
 * Removes lines, or lowers them to `quantity`. With `newId`, what is removed stays on the check as new lines that the kitchen
 * does not have.
 */
export function takeBackLines(content: OrderContent, parts: readonly LinePart[], newId?: () => string): OrderContent {
  const restored: OrderLine[] = [];
  const keep = (line: OrderLine) => {
    const { splitOf: _, splitFrom: __, ...own } = line;
    if (newId !== undefined) restored.push({ ...own, id: newId() });
  };
  const lines = linesOf(content).flatMap((line) => {
    const part = parts.find(({ lineId }) => lineId === line.id);
    const { quantity = 0 } = part ?? {};
    if (part === undefined || quantity >= line.quantity) return [line];
    const [rest, removed] = quantity === 0 ? [null, line] : splitInTwo(line, subtract(line.quantity, quantity));
    keep(removed);
    return rest === null ? [] : [rest];
  });
  return withLines(content, [...lines, ...restored]);
}

/**
 * Moves lines, or parts of them, to another check. A part becomes a new line that names its origin (`splitOf`, `splitFrom`),
 * so the kitchen knows it is the same dish; both together cost what the line did. If the order types differ, moved lines are
 * priced again by `menu`.
 */
export function moveLines(
  from: { posReference: string; content: OrderContent },
  into: OrderContent,
  parts: readonly LinePart[],
  newId: () => string,
  menu: PricedMenu | null = null,
): { from: OrderContent; into: OrderContent } {
  const requested = new Map(parts.map((part) => [part.lineId, part]));
  const usedIds = new Set(linesOf(into).map((line) => line.id));
  const staying: OrderLine[] = [];
  const moving: OrderLine[] = [];
  for (const line of linesOf(from.content)) {
    const part = requested.get(line.id);
    const origin = { splitOf: line.id, splitFrom: from.posReference };
    if (part === undefined) staying.push(line);
    else if (part.quantity !== undefined && part.quantity < line.quantity) {
      const [rest, moved] = splitInTwo(line, part.quantity);
      staying.push(rest);
      moving.push({ ...moved, id: newId(), ...origin });
    } else moving.push(usedIds.has(line.id) ? { ...line, id: newId(), ...origin } : line);
  }
  const { orderType = "dine_in" } = into;
  const isRepriced = menu !== null && orderType !== (from.content.orderType ?? "dine_in");
  const arrive = isRepriced ? moving.map((line) => repriceLine(line, orderType, menu)) : moving;
  return { from: withLines(from.content, staying), into: withLines(into, [...linesOf(into), ...arrive]) };
}

/** Splits a line in two on the same check: `quantity` of it becomes the line `newId`. */
export function splitLine(content: OrderContent, lineId: string, quantity: number, newId: string): OrderContent {
  const lines = linesOf(content).flatMap((line) => {
    if (line.id !== lineId || quantity >= line.quantity) return [line];
    const [rest, part] = splitInTwo(line, quantity);
    return [rest, { ...part, id: newId, splitOf: lineId }];
  });
  return withLines(content, lines);
}

/** Moves all lines and adjustments to another check, without a `guestCount`: the rules add up those of both checks. */
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

/** Splits a line into the rest and a part with `quantity`. Together they cost what the line did. */
export function splitInTwo(line: OrderLine, quantity: number): [rest: OrderLine, part: OrderLine] {
  const { voidedQuantity: voided = 0, ...plain } = line;
  const sizes = [subtract(line.quantity, quantity), quantity] as const;
  // The rest keeps as much of the voided quantity as it can hold.
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

/** Puts a part back into its line. The result costs what both did together. */
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

/** Returns a line with another quantity or voided quantity, its amounts scaled to the charged quantity. */
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

/** Returns the content with one line changed. */
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

/** Returns the content with these lines, and the totals of the lines and adjustments. */
export function withLines(content: OrderContent, lines: OrderLine[]): OrderContent {
  return { ...content, lines, totals: totalsOfContent({ ...content, lines }) };
}
