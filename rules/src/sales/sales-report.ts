import type { Payment, SalesReport as Report, Snapshot, Reduction } from "@comanda/protocol";
import { placeOf } from "../checks/place-of.ts";
import { partyOf } from "../checks/party.ts";
import { fromCents, subtract, sum } from "../money/amounts.ts";
import { taxesByName, type TaxRules } from "../money/pricing/taxes-by-name.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import { createSoldDishes, refundedLines } from "./sold-dishes.ts";
import type { RefundOfCheck, SoldCheck } from "./sold-check.ts";
import { createReductions } from "./reductions.ts";
import { noTakings, withRefunds, withTaking } from "./takings.ts";

type SoldHour = Report["hours"][number];
type SoldBy = Report["waiters"][number];

/** The parts of a report that follow from checks and refunds, with complete lists. */
type Sales = Pick<Report, "totals" | "parts" | "hours" | "dishes" | "waiters" | "refunds" | "unreadable"> &
  Record<"discounts" | "voids" | "comps", Reduction[]>;

interface SalesRules extends TaxRules {
  /** Returns the start of the hour of a time (ms since 1970), as ISO 8601. */
  hourOf(at: number): string;
}

/**
 * Sums up sales by hour, dish, waiter and tax. Each breakdown adds up to `totals.paidAmount`, and its refunds to
 * `totals.refunds`. The takings are the same as in the closing report.
 */
export function createSalesReport({ taxes, rounding, hourOf }: SalesRules) {
  let takings = noTakings;
  const refunds: RefundOfCheck[] = [];
  const hours = new Map<string, SoldHour>();
  const waiters = new Map<string | null, SoldBy>();
  const dishes = createSoldDishes();
  const reductions = createReductions({ taxes, rounding });
  const taxSums = createTaxSums({ taxes, rounding });
  let unreadable = 0;
  /** Checks whose guests are not counted yet, in the order of payment. */
  const seated: (PartyOfCheck & { sold: readonly (SoldHour | SoldBy)[] })[] = [];
  /** Number of guests already counted per party. */
  const parties = new Map<string, number>();

  function guestsOnce({ party, guestCount }: PartyOfCheck): number {
    const counted = parties.get(party) ?? 0;
    parties.set(party, Math.max(counted, guestCount));
    return Math.max(0, guestCount - counted);
  }

  /** Returns the entries of the hour and the waiter that a check or refund counts for. */
  const soldAt = (at: number, name: string | null): readonly (SoldHour | SoldBy)[] => {
    const from = hourOf(at);
    return [
      entry(hours, from, () => ({ from, ...nothingSold })),
      entry(waiters, name, () => ({ name, ...nothingSold })),
    ];
  };

  function take(at: number, name: string | null, taking: Taking): readonly (SoldHour | SoldBy)[] {
    takings = withTaking(takings, taking);
    const tips = sum(taking.payments.map(({ tip = 0 }) => tip));
    const sold = soldAt(at, name);
    for (const each of sold) {
      each.checks += 1;
      each.amount = sum([each.amount, taking.total]);
      each.tips = sum([each.tips, tips]);
    }
    return sold;
  }

  function countGuests(): void {
    for (const { sold, ...of } of seated.splice(0)) {
      const guests = guestsOnce(of);
      for (const each of sold) each.guests += guests;
    }
  }

  return {
    /** Adds a check that was paid at a time (ms since 1970). */
    addCheck(at: number, check: SoldCheck): void {
      const { totals, staffName, guestCount } = check;
      const sold = take(at, staffName ?? null, { total: totals.total, payments: paymentsOf(check) });
      seated.push({ party: partyOf(check), guestCount, sold });
      dishes.addCheck(check);
      taxSums.add(check, "amount");
      reductions.addCheck(check);
    },

    /** Adds a check of which only the takings can be read. */
    addUnreadable(at: number, { total, payments }: { total: number; payments: readonly Payment[] }): void {
      take(at, null, { total, payments });
      unreadable += 1;
      dishes.addUnreadable(total);
    },

    /** Adds a check paid before the period, so that its guests are not counted again. */
    addPaidBefore(check: SoldCheck): void {
      guestsOnce({ party: partyOf(check), guestCount: check.guestCount });
    },

    addRefund(refunded: RefundOfCheck): void {
      refunds.push(refunded);
      const { at, refund, check } = refunded;
      for (const sold of soldAt(at, check?.staffName ?? null)) sold.refunded = sum([sold.refunded, refund.amount]);
      dishes.addRefund(refunded);
      if (check === null) return;
      taxSums.add({ orderType: check.orderType, lines: refundedLines(check, refunded) }, "refunded");
    },

    /** Adds a discarded check, whose sent dishes were made in vain. */
    addDiscarded: reductions.addDiscarded,

    read(): Sales {
      countGuests();
      const totals = withRefunds(
        takings,
        refunds.map(({ refund }) => refund),
      );
      const byTax = taxSums.read();
      const { charges, rounding: rounded, ...lists } = reductions.read();
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
        dishes: dishes.read().toSorted(largestFirst),
        waiters: [...waiters.values()].toSorted(largestFirst),
        ...lists,
        refunds: refunds.map(presentRefund),
        unreadable,
      };
    },
  };
}

interface Taking {
  total: number;
  payments: readonly Payment[];
}

/** The party of a check, and its number of guests. */
interface PartyOfCheck {
  party: string;
  guestCount: number;
}

const nothingSold = { checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 };

/** A name that no tax in a menu has. */
const OTHER = "\0";

/** Sums up each tax by name; null for tax that is not in the menu any more. */
function createTaxSums({ taxes, rounding }: TaxRules) {
  const sums = new Map<string | null, { amount: number; refunded: number }>();
  return {
    add(of: Pick<Snapshot, "lines" | "orderType">, side: "amount" | "refunded"): void {
      for (const { name, cents } of taxesByName(of, { taxes: [...taxes], rounding: rounding ?? "line" }, OTHER)) {
        const tax = entry(sums, name === OTHER ? null : name, () => ({ amount: 0, refunded: 0 }));
        tax[side] = sum([tax[side], fromCents(cents)]);
      }
    },
    read() {
      const order = [...taxes.map(({ name }) => name), null];
      return [...new Set(order)].flatMap((name) => {
        const found = sums.get(name);
        return found === undefined ? [] : [{ name, ...found }];
      });
    },
  };
}

function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
}

function presentRefund({ posReference, check, refund }: RefundOfCheck): Report["refunds"][number] {
  return {
    posReference,
    place: check === null ? null : placeOf(check),
    at: refund.madeAt ?? refund.at,
    amount: refund.amount,
    by: refund.by,
    ...(refund.approvedBy !== undefined && { approvedBy: refund.approvedBy }),
    reason: refund.reason,
    ncf: refund.ncf ?? null,
  };
}

function largestFirst(one: Pick<SoldBy, "amount" | "refunded">, other: Pick<SoldBy, "amount" | "refunded">): number {
  return subtract(other.amount, other.refunded) - subtract(one.amount, one.refunded);
}
