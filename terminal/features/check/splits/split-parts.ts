import { addUp, asGranted, chargedQuantity, splitAmount, splitQuantity, subtract, sum } from "@comanda/rules";
import { amountDue, linesOf, moveLines, totalsOfContent, type OrderContent, type OrderLine } from "@comanda/terminal";

/** Quantities of each line by part, by line id. The first part stays on the check. */
export type Shares = ReadonlyMap<string, readonly number[]>;

/** Splits the amount due into equal parts, whose sum is exact to the cent. */
export function partsOfDue(snapshot: Parameters<typeof amountDue>[0], count: number): number[] {
  return splitAmount(amountDue(snapshot), count);
}

/** Returns a split with everything charged in the first part, and the others empty. Voided quantities stay with the check. */
export function emptySplit(content: OrderContent, parts: number): Shares {
  return new Map(countedLines(content).map(({ id, counted }) => [id, sharesIn(counted, 0, parts)]));
}

/**
 * Gives `quantity` of a line to a part, taken from the first other parts that have some. A part that already has the whole line
 * gives it back to the first part.
 */
export function assignToPart(shares: Shares, lineId: string, part: number, quantity: number): Shares {
  const quantities = shares.get(lineId);
  if (quantities === undefined) return shares;
  const has = quantities[part] ?? 0;
  if (sum(quantities) === has)
    return part === 0 ? shares : changed(shares, lineId, sharesIn(has, 0, quantities.length));
  let remaining = Math.min(quantity, subtract(sum(quantities), has));
  const next = quantities.map((each, index) => {
    if (index === part) return each;
    const moved = Math.min(each, remaining);
    remaining = subtract(remaining, moved);
    return subtract(each, moved);
  });
  next[part] = subtract(sum(quantities), sum(next.filter((_, index) => index !== part)));
  return changed(shares, lineId, next);
}

/** Fits the shares to the check's current content: a line added or changed since goes to the first part as a whole. */
export function fitShares(shares: Shares, content: OrderContent): Shares {
  const parts = Math.max(1, ...[...shares.values()].map((quantities) => quantities.length));
  return new Map(
    countedLines(content).map(({ id, counted }) => {
      const quantities = shares.get(id);
      return [id, quantities !== undefined && sum(quantities) === counted ? quantities : sharesIn(counted, 0, parts)];
    }),
  );
}

/** Shares a line equally among all parts. */
export function shareEqually(shares: Shares, lineId: string): Shares {
  const quantities = shares.get(lineId);
  return quantities === undefined ? shares : changed(shares, lineId, splitQuantity(sum(quantities), quantities.length));
}

/** Changes the number of parts; quantities of removed parts go back to the first. */
export function withParts(shares: Shares, parts: number): Shares {
  return new Map(
    [...shares].map(([lineId, quantities]) => {
      const merged = Array.from({ length: parts }, (_, index) => quantities[index] ?? 0);
      merged[0] = sum([merged[0] ?? 0, ...quantities.slice(parts)]);
      return [lineId, merged];
    }),
  );
}

/** Returns one part per seat, ordered by seat; lines without a seat are shared equally. Null with fewer than two seats. */
export function splitBySeats(content: OrderContent): Shares | null {
  const lines = countedLines(content);
  const seats = [...new Set(lines.flatMap(({ seat }) => seat ?? []))].toSorted((one, other) => one - other);
  if (seats.length < 2) return null;
  return new Map(
    lines.map(({ id, counted, seat }) => [
      id,
      seat === null ? splitQuantity(counted, seats.length) : sharesIn(counted, seats.indexOf(seat), seats.length),
    ]),
  );
}

function countedLines(content: OrderContent): { id: string; counted: number; seat: number | null }[] {
  return linesOf(content)
    .map((line) => ({ id: line.id, counted: chargedQuantity(line), seat: seatOf(line) }))
    .filter(({ counted }) => counted > 0);
}

export interface SplitPart {
  /** Index among the parts of the split. */
  part: number;
  content: OrderContent;
}

/**
 * Returns the checks of a split, without empty ones. The first replaces the check that is split. No quantity and no cent is
 * lost: a discount of the whole check is split in proportion to the value of the parts.
 */
export function splitChecks(
  from: { posReference: string; content: OrderContent },
  shares: Shares,
  newId: () => string,
): SplitPart[] {
  const parts = Math.max(0, ...[...shares.values()].map((quantities) => quantities.length));
  const holding = Array.from({ length: parts }, (_, part) => part).filter((part) =>
    [...shares.values()].some((quantities) => (quantities[part] ?? 0) > 0),
  );
  const { checkNumber: _, ticketNumber: __, ...like } = from.content;
  let rest = from.content;
  const others: SplitPart[] = [];
  for (const part of holding.slice(1)) {
    const movedLines = [...shares].flatMap(([lineId, quantities]) => {
      const quantity = quantities[part] ?? 0;
      return quantity > 0 ? [{ lineId, quantity }] : [];
    });
    const empty: OrderContent = { ...like, adjustments: [], lines: [] };
    const moved = moveLines({ posReference: from.posReference, content: rest }, empty, movedLines, newId);
    rest = moved.from;
    others.push({ part, content: moved.into });
  }
  const [first] = holding;
  return first === undefined ? [] : withAdjustments([{ part: first, content: rest }, ...others], from.content);
}

function withAdjustments(parts: readonly SplitPart[], { adjustments = [] }: OrderContent): SplitPart[] {
  const weights = parts.map(({ content }) => totalsOfContent({ ...content, adjustments: [] }).total);
  if (adjustments.length === 0 || !weights.some((weight) => weight > 0)) return [...parts];
  const granted = adjustments.map(asGranted);
  const amounts = granted.map(({ amount }) => splitAmount(amount, weights));
  return parts.map(({ part, content }, index) => {
    const own = granted
      .map((adjustment, which) => ({ ...adjustment, amount: amounts[which]?.[index] ?? 0 }))
      .filter(({ amount }) => amount !== 0);
    return { part, content: { ...content, ...addUp(linesOf(content), own) } };
  });
}

/** Returns the seat of a line, counted from 1; null if it is shared by all. */
function seatOf(line: OrderLine): number | null {
  const seat = Number(line["seat"]);
  return Number.isInteger(seat) && seat > 0 ? seat : null;
}

function sharesIn(quantity: number, part: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, index) => (index === part ? quantity : 0));
}

function changed(shares: Shares, lineId: string, quantities: readonly number[]): Shares {
  return new Map([...shares, [lineId, quantities]]);
}
