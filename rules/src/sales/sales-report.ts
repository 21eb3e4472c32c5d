import type { Payment, Refund, SalesReport as Report, Snapshot, StoredLine, TakenOff } from "@comanda/protocol";
import { placeOf } from "../checks/place-of.ts";
import { fromCents, proportionOf, subtract, sum } from "../money/amounts.ts";
import { taxesByName, type TaxRules } from "../money/taxes-by-name.ts";
import { voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { paymentsOf } from "../payments/brought-payments.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { type LineQuantity, refundableLines, refundAmount } from "../refunds/refund-amounts.ts";
import { lineDiscountValue, voidedValue, type ValueRules } from "./line-values.ts";
import { noTakings, withRefunds, withTaking } from "./takings.ts";

type SoldHour = Report["hours"][number];
type SoldDish = Report["dishes"][number];
type SoldBy = Report["waiters"][number];

/** The part of a report that checks and refunds say; lists of all of them, not of the first. */
type Sales = Pick<Report, "totals" | "parts" | "hours" | "dishes" | "waiters" | "refunds" | "unreadable"> & {
  discounts: TakenOff[];
  voids: TakenOff[];
};

type SoldCheck = Pick<
  Snapshot,
  | "posReference"
  | "orderType"
  | "tableId"
  | "ticketNumber"
  | "checkNumber"
  | "guestCount"
  | "staffName"
  | "lines"
  | "totals"
  | "payments"
  | "tenders"
  | "adjustments"
>;

/** One refund of a check, with what earlier ones had taken of it. */
export interface RefundOfCheck {
  at: number;
  posReference: string;
  refund: Refund;
  /** The check as it was sold; null where it is no longer kept or cannot be read. */
  check: SoldCheck | null;
  before: readonly LineQuantity[];
}

interface SalesRules extends TaxRules {
  /** When the hour of a time (ms since 1970) begins, ISO 8601. */
  hourOf(at: number): string;
}

/**
 * Adds up what was sold, once each by hour, dish, waiter and tax. Whichever way it is divided, the parts add up to
 * `totals.paidAmount`, and what was given back to `totals.refunds`: the takings are those of the closing.
 */
export function createSalesReport({ taxes, rounding, hourOf }: SalesRules) {
  let takings = noTakings;
  const refunds: RefundOfCheck[] = [];
  const hours = new Map<string, SoldHour>();
  const dishes = new Map<string | null, SoldDish>();
  const waiters = new Map<string | null, SoldBy>();
  const taxSums = new Map<string | null, { amount: number; refunded: number }>();
  const discounts: TakenOff[] = [];
  const voids: TakenOff[] = [];
  let unreadable = 0;
  let charges = 0;
  let rounded = 0;

  const valueRules = ({ orderType }: Pick<Snapshot, "orderType">): ValueRules => ({ orderType, taxes, rounding });

  function addTaxes(of: Pick<Snapshot, "lines" | "orderType">, side: "amount" | "refunded"): void {
    for (const { name, cents } of taxesByName(of, { taxes: [...taxes], rounding: rounding ?? "line" }, OTHER)) {
      const key = name === OTHER ? null : name;
      const tax = entry(taxSums, key, () => ({ amount: 0, refunded: 0 }));
      tax[side] = sum([tax[side], fromCents(cents)]);
    }
  }

  function addDishes(check: SoldCheck): void {
    const parts = refundableLines(check);
    for (const { lineId, quantity, amount } of parts) {
      const dish = dishOf(dishes, productOf(check, lineId));
      dish.quantity = sum([dish.quantity, quantity]);
      dish.amount = sum([dish.amount, amount]);
    }
    const rest = subtract(check.totals.total, sum(parts.map(({ amount }) => amount)));
    if (rest === 0) return;
    const none = dishOf(dishes, null);
    none.amount = sum([none.amount, rest]);
  }

  function addRefundedDishes({ refund, check, before }: RefundOfCheck): void {
    let rest = refund.amount;
    if (check !== null) {
      const taken: LineQuantity[] = [...before];
      for (const line of linesOfRefund(refund, check, before)) {
        const amount = refundAmount(check, [line], taken);
        taken.push(line);
        const dish = dishOf(dishes, productOf(check, line.lineId));
        dish.refundedQuantity = sum([dish.refundedQuantity, line.quantity]);
        dish.refunded = sum([dish.refunded, amount]);
        rest = subtract(rest, amount);
      }
    }
    if (rest === 0) return;
    const none = dishOf(dishes, null);
    none.refunded = sum([none.refunded, rest]);
  }

  function addVoids(check: SoldCheck): void {
    for (const line of check.lines) {
      const quantity = voidedQuantityOf(line);
      if (quantity > 0)
        voids.push(takenOffLine(check, line, { quantity, amount: voidedValue(line, valueRules(check)) }));
    }
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
    /** A check that was paid at a time, ms since 1970. */
    addCheck(at: number, check: SoldCheck): void {
      const { totals, guestCount, staffName } = check;
      const payments = paymentsOf(check);
      takings = withTaking(takings, { total: totals.total, payments });
      const tips = sum(payments.map(({ tip = 0 }) => tip));
      for (const sold of [hour(hours, hourOf(at)), waiter(waiters, staffName ?? null)]) {
        sold.checks += 1;
        sold.guests += guestCount;
        sold.amount = sum([sold.amount, totals.total]);
        sold.tips = sum([sold.tips, tips]);
      }
      addDishes(check);
      addTaxes(check, "amount");
      addDiscounts(check);
      addVoids(check);
    },

    /** A check of which only the takings can be read. */
    addUnreadable(at: number, { total, payments }: { total: number; payments: readonly Payment[] }): void {
      takings = withTaking(takings, { total, payments });
      unreadable += 1;
      const tips = sum(payments.map(({ tip = 0 }) => tip));
      for (const sold of [hour(hours, hourOf(at)), waiter(waiters, null)]) {
        sold.checks += 1;
        sold.amount = sum([sold.amount, total]);
        sold.tips = sum([sold.tips, tips]);
      }
      const none = dishOf(dishes, null);
      none.amount = sum([none.amount, total]);
    },

    addRefund(given: RefundOfCheck): void {
      refunds.push(given);
      const { at, refund, check, before } = given;
      for (const sold of [hour(hours, hourOf(at)), waiter(waiters, check?.staffName ?? null)]) {
        sold.refunded = sum([sold.refunded, refund.amount]);
      }
      addRefundedDishes(given);
      if (check === null) return;
      addTaxes(
        { orderType: check.orderType, lines: refundedLines(check, linesOfRefund(refund, check, before), before) },
        "refunded",
      );
    },

    /** A check that was discarded: what the kitchen had of it was made for nothing. */
    addDiscarded(check: SoldCheck, reason: string | null): void {
      for (const line of check.lines) {
        const quantity = line.sentQuantity ?? 0;
        if (quantity <= 0) continue;
        const amount = voidedValue({ ...line, voided: true, quantity }, valueRules(check));
        voids.push({ ...takenOffLine(check, line, { quantity, amount }), reason, isDiscarded: true });
      }
    },

    read(): Sales {
      const totals = withRefunds(
        takings,
        refunds.map(({ refund }) => refund),
      );
      const order = [...taxes.map(({ name }) => name), null];
      const byTax = [...new Set(order)].flatMap((name) => {
        const found = taxSums.get(name);
        return found === undefined ? [] : [{ name, ...found }];
      });
      const taxed = sum(byTax.map(({ amount }) => amount));
      const taxRefunded = sum(byTax.map(({ refunded }) => refunded));
      return {
        totals,
        parts: {
          net: subtract(subtract(totals.paidAmount, taxed), sum([charges, rounded])),
          taxes: byTax,
          charges,
          rounding: rounded,
          refundedNet: subtract(totals.refunds?.amount ?? 0, taxRefunded),
        },
        hours: [...hours.values()].toSorted((one, other) => (one.from < other.from ? -1 : 1)),
        dishes: [...dishes.values()].toSorted(largestFirst),
        waiters: [...waiters.values()].toSorted(largestFirst),
        discounts: discounts.toSorted((one, other) => other.amount - one.amount),
        voids: voids.toSorted((one, other) => other.amount - one.amount),
        refunds: refunds.map(({ posReference, check, refund }) => ({
          posReference,
          place: check === null ? null : placeOf(check),
          at: refund.madeAt ?? refund.at,
          amount: refund.amount,
          by: refund.by,
          reason: refund.reason,
          ncf: refund.ncf ?? null,
        })),
        unreadable,
      };
    },
  };
}

/** No tax of a menu is called so. */
const OTHER = "\0";

function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function hour(hours: Map<string, SoldHour>, from: string): SoldHour {
  return entry(hours, from, () => ({ from, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 }));
}

function waiter(waiters: Map<string | null, SoldBy>, name: string | null): SoldBy {
  return entry(waiters, name, () => ({ name, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 }));
}

function dishOf(dishes: Map<string | null, SoldDish>, productId: string | null): SoldDish {
  return entry(dishes, productId, () => ({ productId, quantity: 0, refundedQuantity: 0, amount: 0, refunded: 0 }));
}

function productOf({ lines }: Pick<Snapshot, "lines">, lineId: string): string | null {
  const productId = lines.find(({ id }) => id === lineId)?.productId;
  return productId === undefined ? null : String(productId);
}

function takenOffLine(
  check: SoldCheck,
  { productId, voidReason, comp }: StoredLine,
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
    ...(comp === true && { isComp: comp }),
  };
}

/** What was given back; a note that does not say it was for all that was left. */
function linesOfRefund(
  { lines }: Pick<Refund, "lines">,
  check: SoldCheck,
  before: readonly LineQuantity[],
): readonly LineQuantity[] {
  return lines.length > 0 ? lines : refundableLines(check, before);
}

/** The lines that were given back, each with its part of the tax: however often a line is divided, the parts add up. */
function refundedLines(
  { lines }: Pick<Snapshot, "lines">,
  refunded: readonly LineQuantity[],
  before: readonly LineQuantity[],
): StoredLine[] {
  return refunded.flatMap(({ lineId, quantity }) => {
    const line = lines.find(({ id }) => id === lineId);
    if (line === undefined) return [];
    const sold = chargedQuantity(line);
    if (sold <= 0) return [];
    const taken = sum(before.filter((each) => each.lineId === lineId).map((each) => each.quantity));
    const upTo = (part: number): number => proportionOf(line.taxAmount ?? 0, part, sold);
    const taxAmount = subtract(upTo(sum([taken, quantity])), upTo(taken));
    return [{ id: line.id, quantity, taxIds: line.taxIds, taxAmount, unitPrice: line.unitPrice }];
  });
}

function largestFirst(one: SoldDish | SoldBy, other: SoldDish | SoldBy): number {
  return subtract(other.amount, other.refunded) - subtract(one.amount, one.refunded);
}
