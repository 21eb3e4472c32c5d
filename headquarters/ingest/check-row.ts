import type { RestaurantClock, Snapshot, StoredOrder } from "@comanda/protocol";
import { chainPaidAt, type ChainPricing, type ChainRemoval, instantOf } from "@comanda/protocol/chain.ts";
import { amountOf, createSalesReport, partyOf, refundableLines, subtract, toCents } from "@comanda/rules";

/** A row of the table `checks`, with its lines and refunds. Fields are named like the columns. */
export interface CheckRow {
  pos_reference: string;
  version: number;
  is_removed: boolean;
  staff_name: string | null;
  guests: number;
  /** The party whose guests are counted: each of its checks names all of them. */
  party: string;
  opened_at: string;
  updated_at: string;
  paid_at: string | null;
  day: string | null;
  hour: string | null;
  total_cents: number;
  paid_cents: number;
  refunded_cents: number;
  discount_cents: number;
  void_cents: number;
  removal: object | null;
  body: object | null;
  lines: LineRow[];
  refunds: RefundRow[];
}

interface LineRow {
  line_id: string;
  /** Empty for an amount of no product. */
  product_id: string;
  name: string | null;
  quantity_e4: number;
  amount_cents: number;
}

interface RefundRow {
  refund_id: string;
  day: string;
  hour: string;
  amount_cents: number;
}

/** The largest INTEGER of PostgreSQL. */
const MAX_INTEGER = 2_147_483_647;

/** A restaurant's clock and pricing, by which its checks are counted. */
interface Counting {
  clock: RestaurantClock;
  /** Absent until the hub has read its menu. Voids and discounts are then computed without its taxes and rounding. */
  pricing: ChainPricing | undefined;
}

/** Returns the row of an order, by the same rules as the hub's own sales report. Throws RangeError if a number is too large. */
export function checkRow(order: StoredOrder, { clock, pricing }: Counting, now: number): CheckRow {
  const { posReference, version, snapshot } = order;
  const { status, staffName, guestCount, totals } = snapshot;
  const isSold = status === "paid" || status === "closed";
  const openedAt = instantOf(snapshot.createdAt) ?? instantOf(order.createdAt) ?? now;
  const updatedAt = instantOf(order.updatedAt) ?? instantOf(snapshot.updatedAt) ?? openedAt;
  const paidAt = isSold ? (chainPaidAt(order) ?? updatedAt) : null;
  const total = cents(totals.total);
  const sold = isSold ? discountsAndVoids(snapshot, pricing) : { discount: 0, voids: 0 };
  const refunds = refundsOf(snapshot, clock);
  return {
    ...emptyRow(posReference, isoTime(updatedAt)),
    version: integer(version),
    staff_name: staffName ?? null,
    guests: integer(Math.round(guestCount)),
    party: partyOf(snapshot),
    opened_at: isoTime(openedAt),
    paid_at: paidAt === null ? null : isoTime(paidAt),
    day: paidAt === null ? null : clock.day(paidAt),
    hour: paidAt === null ? null : clock.hourBegan(paidAt),
    total_cents: total,
    paid_cents: isSold ? total : 0,
    refunded_cents: refunds.reduce((all, { amount_cents }) => all + amount_cents, 0),
    discount_cents: sold.discount,
    void_cents: sold.voids,
    body: order,
    lines: isSold ? linesOf(snapshot) : [],
    refunds,
  };
}

/** Returns the row of a check that was discarded or merged. What the kitchen had of a discarded one counts as void then. */
export function removedRow(removal: ChainRemoval, counting: Counting, now: number): CheckRow {
  const { clock, pricing } = counting;
  const { last, posReference, version, ...rest } = removal;
  const at = instantOf(removal.at) ?? now;
  const isDiscard = removal.mergedInto === undefined;
  const empty = emptyRow(posReference, isoTime(at));
  const content = last === undefined ? empty : checkRow(last, counting, at);
  const { staff_name, guests, party, opened_at, total_cents, body } = content;
  return {
    ...empty,
    version: integer(version),
    is_removed: true,
    staff_name,
    guests,
    party,
    opened_at,
    total_cents,
    body,
    day: isDiscard ? clock.day(at) : null,
    hour: isDiscard ? clock.hourBegan(at) : null,
    void_cents: isDiscard && last !== undefined ? discardedValue(last.snapshot, pricing) : 0,
    removal: rest,
  };
}

/** Returns the row of a check that is too large for a message. Its content is requested from the hub. */
export function tooLargeRow(posReference: string, bytes: number, now: number): CheckRow {
  return { ...emptyRow(posReference, isoTime(now)), body: { tooLarge: true, bytes } };
}

function emptyRow(posReference: string, at: string): CheckRow {
  return {
    pos_reference: posReference,
    version: 1,
    is_removed: false,
    staff_name: null,
    guests: 0,
    party: posReference,
    opened_at: at,
    updated_at: at,
    paid_at: null,
    day: null,
    hour: null,
    total_cents: 0,
    paid_cents: 0,
    refunded_cents: 0,
    discount_cents: 0,
    void_cents: 0,
    removal: null,
    body: null,
    lines: [],
    refunds: [],
  };
}

/** Returns each line's share of what the guests paid. The shares add up to the total. */
function linesOf(snapshot: Snapshot): LineRow[] {
  const lines = new Map(snapshot.lines.map((line) => [line.id, line]));
  const parts = refundableLines(snapshot);
  const rest = subtract(snapshot.totals.total, amountOf(parts));
  const rows = parts.map(({ lineId, quantity, amount }): LineRow => {
    const line = lines.get(lineId);
    const name = line?.["name"] ?? line?.["productName"];
    return {
      line_id: lineId,
      product_id: String(line?.productId ?? ""),
      name: typeof name === "string" ? name : null,
      quantity_e4: units(quantity),
      amount_cents: cents(amount),
    };
  });
  if (rest !== 0) {
    rows.push({ line_id: "", product_id: "", name: null, quantity_e4: 0, amount_cents: cents(rest) });
  }
  return rows;
}

function refundsOf(snapshot: Snapshot, clock: RestaurantClock): RefundRow[] {
  return (snapshot.refunds ?? []).flatMap(({ refundId, state, at, madeAt, amount }) => {
    const made = state === "made" ? (instantOf(madeAt) ?? instantOf(at)) : null;
    if (made === null) return [];
    return [{ refund_id: refundId, day: clock.day(made), hour: clock.hourBegan(made), amount_cents: cents(amount) }];
  });
}

const reportBy = (pricing: ChainPricing = { taxes: [] }) => createSalesReport({ ...pricing, hourOf: () => "" });

function discountsAndVoids(snapshot: Snapshot, pricing: Counting["pricing"]): { discount: number; voids: number } {
  const report = reportBy(pricing);
  report.addCheck(0, snapshot);
  const { discounts, voids } = report.read();
  return { discount: cents(amountOf(discounts)), voids: cents(amountOf(voids)) };
}

function discardedValue(snapshot: Snapshot, pricing: Counting["pricing"]): number {
  const report = reportBy(pricing);
  report.addDiscarded(snapshot, null);
  return cents(amountOf(report.read().voids));
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function cents(amount: number): number {
  return safe(toCents(amount));
}

function units(quantity: number): number {
  return safe(Math.round(quantity * 10_000));
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError("an amount is too large to be added up");
  return value;
}

function integer(value: number): number {
  if (!Number.isInteger(value) || Math.abs(value) > MAX_INTEGER) throw new RangeError("a number is too large");
  return value;
}
