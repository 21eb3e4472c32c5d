import type { SalesReport } from "@comanda/protocol";
import { daysOf, type Period } from "./period.ts";

type SoldDay = SalesReport["days"][number];

/** Returns the days of a period up to today, including those without sales. */
export function soldDays(period: Period, { days, today }: Pick<SalesReport, "days" | "today">): SoldDay[] {
  const byDay = new Map(days.map((sold) => [sold.day, sold]));
  return daysOf(period, today).map(
    (day) => byDay.get(day) ?? { day, checks: 0, guests: 0, amount: 0, refunded: 0, tips: 0 },
  );
}
