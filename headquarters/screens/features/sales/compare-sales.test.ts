import type { HqSales } from "@comanda/protocol/headquarters.ts";
import { expect, it } from "vitest";
import { compareSales, daysBefore } from "./compare-sales.ts";

function days(from: string, to: string, paid: { hours?: Record<number, number>; days?: Record<string, number> }) {
  const rows = <T extends object>(of: object, row: (key: string) => T) =>
    Object.entries(of).map(([key, amount]) => ({ ...row(key), checks: 1, paid: amount as number }));
  const sales: HqSales = {
    coverage: { asOf: "", restaurants: 1, current: 1, behind: [], holes: [] },
    totals: { checks: 1, guests: 1, paid: 0, refunded: 0, discounts: 0, voids: 0 },
    hours: rows(paid.hours ?? {}, (hour) => ({ hour: Number(hour) })),
    days: rows(paid.days ?? {}, (day) => ({ day })),
    products: [],
    otherProducts: { count: 0, amount: 0 },
    restaurants: [],
  };
  return { from, to, sales };
}

it.each([
  [
    ["2026-11-27", "2026-11-27"],
    ["2026-11-20", "2026-11-20"],
  ],
  [
    ["2026-11-21", "2026-11-27"],
    ["2026-11-14", "2026-11-20"],
  ],
  // 30 days: five weeks earlier, so that the weekdays match and no day is on both sides.
  [
    ["2026-10-29", "2026-11-27"],
    ["2026-09-24", "2026-10-23"],
  ],
  [["2026-01-01", "2026-11-27"], null],
  // Invalid ranges that an address may contain.
  [["2026-11-28", "2026-11-27"], null],
  [["ayer", "2026-11-27"], null],
  [["2026-11-27", "2026-13-41"], null],
] as const)("the period %j is compared with the same weekdays of earlier weeks: %j [HQ-586]", ([from, to], before) => {
  expect(daysBefore({ from, to })).toEqual(before === null ? null : { from: before[0], to: before[1] });
});

it("past periods are compared whole, today by its past hours, and periods up to today by their past days [HQ-586]", () => {
  const friday = { today: "2026-11-27", hour: 20 };
  const [now, then] = [
    { 12: 100, 19: 50, 20: 7 },
    { 11: 30, 19: 60, 20: 300, 23: 400, 1: 90 },
  ];
  const compared = (current: ReturnType<typeof days>, before: ReturnType<typeof days>, at = friday) =>
    Object.values(compareSales(current, before, at) ?? {});
  const over = days("2026-11-26", "2026-11-26", { days: { "2026-11-26": 12 } });
  const beforeIt = days("2026-11-19", "2026-11-19", { days: { "2026-11-19": 8 } });
  expect(compared(over, beforeIt)).toEqual(["whole", 12, 8]);
  const today = days("2026-11-27", "2026-11-27", { hours: now });
  const weekBefore = days("2026-11-20", "2026-11-20", { hours: then });
  expect(compared(today, weekBefore)).toEqual(["hours", 150, 90]);
  // After midnight the business day continues: sales at one are later than sales at eleven.
  expect(compared(today, weekBefore, { ...friday, hour: 1 })).toEqual(["hours", 157, 790]);
  const week = days("2026-11-21", "2026-11-27", { days: { "2026-11-21": 10, "2026-11-26": 20, "2026-11-27": 5 } });
  const before = days("2026-11-14", "2026-11-20", { days: { "2026-11-14": 1, "2026-11-19": 2, "2026-11-20": 4 } });
  expect(compared(week, before)).toEqual(["days", 30, 3]);
  // A day without data at headquarters must not count as less.
  const incomplete = days("2026-11-14", "2026-11-20", { days: { "2026-11-19": 2, "2026-11-20": 4 } });
  expect(compared(week, incomplete)).toEqual([]);
  expect(compared(today, days("2026-11-20", "2026-11-20", { hours: { 20: 300 } }))).toEqual([]);
});
