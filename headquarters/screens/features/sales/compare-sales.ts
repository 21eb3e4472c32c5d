import { addDays, DAY_MS, hoursIntoDay } from "@comanda/protocol";
import type { HqSales } from "@comanda/protocol/headquarters.ts";

const WEEK = 7;
/** Longer ranges are not compared: the weeks before them are too long ago. */
const MAX_DAYS = 35;

interface Days {
  from: string;
  to: string;
}

/** Returns the same weekdays, as many weeks earlier as the range takes; null if the range is too long or empty. */
export function daysBefore({ from, to }: Days): Days | null {
  const count = daysBetween(from, to) + 1;
  if (!(count >= 1 && count <= MAX_DAYS)) return null;
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
  current: Sold,
  before: Sold,
  { today, hour }: { today: string; hour: number },
): Comparison | null {
  const isOver = current.to < today;
  if (!isOver && current.from === current.to) {
    const paid = ({ sales }: Sold) =>
      sumPaid(sales.hours.filter((each) => hoursIntoDay(each.hour) < hoursIntoDay(hour)));
    return comparisonOf("hours", paid(current), paid(before));
  }
  const dayCount = isOver ? Infinity : daysBetween(current.from, today);
  const daysOf = ({ from, sales }: Sold) => sales.days.filter(({ day }) => daysBetween(from, day) < dayCount);
  const [now, earlier] = [daysOf(current), daysOf(before)];
  if (earlier.length < now.length) return null;
  return comparisonOf(isOver ? "whole" : "days", sumPaid(now), sumPaid(earlier));
}

const comparisonOf = (part: Comparison["part"], now: number, before: number): Comparison | null =>
  before === 0 ? null : { part, now, before };

/** Returns the restaurants of some days, each with its sales on the days before. Includes those that sold only then. */
export function compareRestaurants({ restaurants }: HqSales, before: HqSales | null) {
  const earlier = new Map(before?.restaurants.map((each) => [each.id, each]));
  const rows = restaurants.map((each) => ({ ...each, before: earlier.get(each.id)?.paid ?? null }));
  for (const { id } of restaurants) earlier.delete(id);
  const withoutSales = [...earlier.values()].map((each) => ({ ...each, checks: 0, paid: 0, before: each.paid }));
  return [...rows, ...withoutSales];
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const sumPaid = (rows: readonly { paid: number }[]): number => rows.reduce((sum, { paid }) => sum + paid, 0);
