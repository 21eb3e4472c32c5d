import { addDays, DAY_MS, hoursIntoDay } from "@comanda/protocol";
import type { HqSales } from "@comanda/protocol/headquarters.ts";

const WEEK = 7;
/** Longer ranges are not compared: the weeks before them are too long ago. */
const MOST_DAYS = 35;

interface Days {
  from: string;
  to: string;
}

/** Returns the same weekdays, as many weeks earlier as the range takes; null if the range is too long or empty. */
export function daysBefore({ from, to }: Days): Days | null {
  const count = daysBetween(from, to) + 1;
  if (!(count >= 1 && count <= MOST_DAYS)) return null;
  const by = -WEEK * Math.ceil(count / WEEK);
  return { from: addDays(from, by), to: addDays(to, by) };
}

interface Comparison {
  /** Both sides count the past hours of today, the past days of a range that includes today, or everything. */
  part: "hours" | "days" | "whole";
  now: number;
  before: number;
}

type Sold = Days & { sales: HqSales };

/**
 * Compares what was paid on some days and on the days before them. Returns null if nothing was paid then, or on fewer days,
 * because the rest may be unknown here. `hour`: the current hour of the clock in the business day `today`.
 */
export function compareSales(
  asked: Sold,
  before: Sold,
  { today, hour }: { today: string; hour: number },
): Comparison | null {
  const isOver = asked.to < today;
  if (!isOver && asked.from === asked.to) {
    const paid = ({ sales }: Sold) =>
      sumPaid(sales.hours.filter((each) => hoursIntoDay(each.hour) < hoursIntoDay(hour)));
    return comparisonOf("hours", paid(asked), paid(before));
  }
  const over = isOver ? Infinity : daysBetween(asked.from, today);
  const daysOf = ({ from, sales }: Sold) => sales.days.filter(({ day }) => daysBetween(from, day) < over);
  const [now, then] = [daysOf(asked), daysOf(before)];
  if (then.length < now.length) return null;
  return comparisonOf(isOver ? "whole" : "days", sumPaid(now), sumPaid(then));
}

const comparisonOf = (part: Comparison["part"], now: number, before: number): Comparison | null =>
  before === 0 ? null : { part, now, before };

/** Returns the restaurants of some days, each with its sales on the days before. Includes those that sold only then. */
export function restaurantsBeside({ restaurants }: HqSales, before: HqSales | null) {
  const then = new Map(before?.restaurants.map((each) => [each.id, each]));
  const rows = restaurants.map((each) => ({ ...each, before: then.get(each.id)?.paid ?? null }));
  for (const { id } of restaurants) then.delete(id);
  const silent = [...then.values()].map((each) => ({ ...each, checks: 0, paid: 0, before: each.paid }));
  return [...rows, ...silent];
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const sumPaid = (rows: readonly { paid: number }[]): number => rows.reduce((sum, { paid }) => sum + paid, 0);
