import type { BackOfficeModifier, BackOfficeProduct, Menu, OrderType, Snapshot, StoredLine } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import { type LineDiscount, missingQuantity, ownName, refundedQuantities, subtract, sum } from "@comanda/rules";
import { choose, lineForProduct, repriceLine, sameValue, type OrderLine } from "@comanda/terminal";
import type { MenuIndex } from "../lib/menu/menu-index.ts";

/** The choices for a product. */
export interface Choice {
  quantity?: number;
  modifiers?: readonly BackOfficeModifier[];
  note?: string;
  /** What the guest must not eat, as text. */
  allergy?: string;
  /** A guest's seat, counted from 1; absent for all guests. */
  seat?: number;
  /** 1 if absent. Later courses are held until they are fired. */
  course?: number;
  discount?: LineDiscount;
}

/** More courses than any restaurant serves one after another. */
export const COURSES = [1, 2, 3, 4] as const;
const [FIRST_COURSE] = COURSES;

export function isUnsent(line: StoredLine): boolean {
  return missingQuantity(line) > 0;
}

/** Whether a line is held for its course: Send skips it, and firing the course sends it. */
export function isHeld(line: StoredLine): boolean {
  return line["hold"] === true && (line.sentQuantity ?? 0) === 0 && isUnsent(line);
}

/** Returns the lines that Send sends. */
export function toSend(lines: readonly StoredLine[]): StoredLine[] {
  return lines.filter((line) => isUnsent(line) && !isHeld(line));
}

type Paid = Pick<Snapshot, "status" | "lines" | "refunds">;

/** Returns the unsent lines of a paid check, except what was refunded. Until all is sent, the check must stay visible. */
export function paidUnsentLines({ status, lines, refunds }: Paid): StoredLine[] {
  if (isActive(status)) return [];
  const refunded = refundedQuantities({ lines, refunds: refunds?.filter(({ state }) => state === "made") });
  const backOf = ({ id }: StoredLine) =>
    sum(refunded.flatMap(({ lineId, quantity }) => (lineId === id ? quantity : [])));
  return lines.filter((line) => missingQuantity(line) > backOf(line));
}

export function isPaidUnsent(check: Paid): boolean {
  return paidUnsentLines(check).length > 0;
}

/** Returns the held courses, the next one first. */
export function heldCourses(lines: readonly StoredLine[]): { course: number; lines: StoredLine[] }[] {
  const courses = Map.groupBy(lines.filter(isHeld), (line) => choiceOf(line).course ?? FIRST_COURSE);
  return [...courses]
    .map(([course, held]) => ({ course, lines: held }))
    .toSorted((one, other) => one.course - other.course);
}

/** When a check was last sent, ISO 8601: since then its next course has been held. Null before the first send. */
export function lastSentAt(lines: readonly StoredLine[]): string | null {
  return (
    lines
      .flatMap(({ kitchenSentAt }) => kitchenSentAt ?? [])
      .sort()
      .at(-1) ?? null
  );
}

/** Counts pieces to carry: a weighed quantity, or a share of a dish, is one piece. */
export function countItems(quantities: readonly number[]): number {
  return sum(quantities.map(Math.ceil));
}

/** Counts the unsent pieces of these lines. */
export function countUnsent(lines: readonly StoredLine[]): number {
  return countItems(lines.map(missingQuantity));
}

/** Returns the unsent quantity by product id, for products that have any. */
export function unsentByProduct(lines: readonly StoredLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines.filter(isUnsent)) {
    const productId = String(line.productId);
    counts.set(productId, sum([counts.get(productId) ?? 0, missingQuantity(line)]));
  }
  return counts;
}

/** Returns the name on the line or, if it has none, as in orders of integrations, the menu's name of the product. */
export function dishName(line: StoredLine | OrderLine, menu: MenuIndex | null): string {
  return ownName(line) ?? menu?.product(line.productId)?.name ?? String(line.productId ?? line.id);
}

/** Returns what a line adds to the subtotal: its total without taxes, which are listed separately. */
export function netOf({ total = 0, taxAmount = 0 }: StoredLine): number {
  return subtract(total, taxAmount);
}

/** Returns the choices of a line, as far as this app knows their form. */
export function choiceOf(line: StoredLine): Required<Pick<Choice, "quantity" | "modifiers">> & Choice {
  const { quantity, note, allergy, seat, course } = line;
  const discount = line["discount"] as LineDiscount | undefined;
  const modifiers = modifiersIn(line).filter(isModifier);
  return {
    quantity,
    modifiers,
    ...(note == null ? {} : { note }),
    ...(allergy == null ? {} : { allergy }),
    ...(typeof seat === "number" ? { seat } : {}),
    ...(typeof course === "number" ? { course } : {}),
    ...(discount && { discount }),
  };
}

function modifiersIn(line: StoredLine | OrderLine): unknown[] {
  return Array.isArray(line["modifiers"]) ? line["modifiers"] : [];
}

/** Other systems write modifiers in forms of their own. */
function isModifier(value: unknown): value is BackOfficeModifier {
  const { name, price } = (value ?? {}) as { name?: unknown; price?: unknown };
  return typeof name === "string" && typeof price === "number";
}

/** Returns a line for a product of the menu, at the menu's price. */
export function newLine(
  product: BackOfficeProduct,
  { menu, orderType, lineId }: { menu: Menu; orderType: OrderType; lineId: string },
  { quantity = 1, modifiers = [], note = "", allergy = "", seat, course = FIRST_COURSE, discount }: Choice = {},
): OrderLine {
  return {
    ...lineForProduct(product, menu, { lineId, orderType, quantity, modifiers, ...(discount && { discount }) }),
    ...(note === "" ? {} : { note }),
    ...(allergy === "" ? {} : { allergy }),
    ...(seat === undefined ? {} : { seat }),
    ...(course === FIRST_COURSE ? {} : { course, hold: true }),
  };
}

/**
 * Returns the line with a new choice, at its own unit price; `opened` is the line when the choices were opened. Changes made
 * elsewhere since then stay.
 */
export function withChoice(
  line: OrderLine,
  { opened, choice }: { opened: StoredLine; choice: Choice },
  { product, menu, orderType }: { product: BackOfficeProduct; menu: Menu; orderType: OrderType },
): OrderLine {
  const priced = { ...product, price: line.unitPrice ?? product.price };
  const lineOf = (each: Choice): OrderLine => newLine(priced, { menu, orderType, lineId: line.id }, each);
  const [before, after] = [lineOf(choiceOf(opened)), lineOf(choice)];
  const fields = new Set([line, before, after].flatMap((each) => Object.keys(each)));
  const merged = [...fields].map(
    (field) => [field, choose(before[field], after[field], line[field], sameValue).value] as const,
  );
  const next = Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as OrderLine;
  const isChosen = (field: string): boolean => !sameValue(before[field], after[field]);
  const all = isChosen("modifiers") ? withOthersOf(line, next) : next;
  return ["quantity", "modifiers", "discount"].some(isChosen) ? repriceLine(all, orderType, menu) : all;
}

/** Adds the modifiers of `other` that are in forms of other systems: they cannot be chosen here, and must not get lost. */
export function withOthersOf(other: StoredLine | OrderLine, line: OrderLine): OrderLine {
  const others = modifiersIn(other).filter((each) => !isModifier(each));
  return others.length === 0 ? line : { ...line, modifiers: [...modifiersIn(line), ...others] };
}

/** Returns the unsent line with the same product and choices, if any: one more raises its quantity. */
export function lineLike(snapshot: Snapshot, line: OrderLine): StoredLine | undefined {
  return snapshot.lines.find(
    (each) =>
      (each.sentQuantity ?? 0) === 0 &&
      each.voided !== true &&
      (each.voidedQuantity ?? 0) === 0 &&
      String(each.productId) === String(line.productId) &&
      sameChoice(each) === sameChoice(line),
  );
}

function sameChoice(line: OrderLine | StoredLine): string {
  const { modifiers = [], note, specialRequest, allergy, seat, course, unitPrice, discount } = line;
  return JSON.stringify([
    modifiers,
    note ?? "",
    specialRequest ?? "",
    allergy ?? "",
    seat ?? null,
    course ?? null,
    unitPrice,
    discount ?? null,
  ]);
}
