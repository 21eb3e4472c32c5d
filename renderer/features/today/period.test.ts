import { expect, it } from "vitest";
import { compareSales } from "./compare-sales.ts";
import { addressOf, daysOf, neighbourOf, periodOf, readAddress, comparisonPeriod } from "./period.ts";

it("weeks begin on Mondays, and months are those of the calendar [UI-530]", () => {
  expect(periodOf("week", "2026-11-29")).toEqual({ kind: "week", from: "2026-11-23", through: "2026-11-29" });
  expect(periodOf("week", "2026-11-23").from).toBe("2026-11-23");
  expect(periodOf("month", "2028-02-10")).toEqual({ kind: "month", from: "2028-02-01", through: "2028-02-29" });
  expect(neighbourOf(periodOf("month", "2026-01-31"), -1).from).toBe("2025-12-01");
  expect(neighbourOf(periodOf("month", "2026-01-31"), 1).from).toBe("2026-02-01");
  expect(neighbourOf(periodOf("week", "2026-12-30"), 1)).toMatchObject({ from: "2027-01-04", through: "2027-01-10" });
  expect(comparisonPeriod(periodOf("day", "2026-11-29")).from).toBe("2026-11-22");
});

it("the address names a day, week or month, and any other address is no period [UI-530]", () => {
  for (const kind of ["day", "week", "month"] as const) {
    const period = periodOf(kind, "2026-11-29");
    expect(readAddress(addressOf(period))).toEqual(period);
  }
  for (const tab of [undefined, "", "month", "year-2026-01-01", "2026-13-40", "day-2026-11-29"])
    expect(readAddress(tab)).toBeNull();
  expect(daysOf(periodOf("month", "2026-11-05"), "2026-11-03")).toEqual(["2026-11-01", "2026-11-02", "2026-11-03"]);
  expect(daysOf(periodOf("month", "2026-12-05"), "2026-11-03")).toEqual([]);
});

const soldOn = (day: string, amount: number) => ({ day, checks: 2, guests: 4, amount, refunded: 10, tips: 0 });
const reportOf = (days: ReturnType<typeof soldOn>[]) => ({
  since: `${days[0]?.day}T09:00:00.000Z`,
  keptSince: null,
  today: "2026-11-25",
  days,
  totals: {
    paidOrders: 2 * days.length,
    paidAmount: days.reduce((all, { amount }) => all + amount, 0),
    refunds: { notes: days.length, amount: 10 * days.length },
    byMethod: [],
  },
});

it("a current period is compared by its past days with as many days of the one before [UI-531]", () => {
  const week = periodOf("week", "2026-11-25");
  const before = reportOf([soldOn("2026-11-16", 110), soldOn("2026-11-18", 500)]);
  const now = reportOf([soldOn("2026-11-23", 130), soldOn("2026-11-24", 100), soldOn("2026-11-25", 999)]);
  expect(compareSales(week, now, comparisonPeriod(week), before)).toEqual({
    now: { sales: 210, checks: 4 },
    before: { sales: 100, checks: 2 },
    isPart: true,
  });
  const day = periodOf("day", "2026-11-25");
  expect(compareSales(day, now, comparisonPeriod(day), before)).toBeNull();
});

it("a past period is compared whole, and one that is not completely stored is not compared [UI-531]", () => {
  const last = periodOf("week", "2026-11-18");
  const now = reportOf([soldOn("2026-11-16", 110), soldOn("2026-11-22", 110)]);
  const before = reportOf([soldOn("2026-11-10", 60)]);
  expect(compareSales(last, now, comparisonPeriod(last), before)).toEqual({
    now: { sales: 200, checks: 4 },
    before: { sales: 50, checks: 2 },
    isPart: false,
  });
  const cut = { ...now, keptSince: "2026-11-10T12:00:00.000Z" };
  expect(compareSales(last, cut, comparisonPeriod(last), before)).toBeNull();
  expect(compareSales(last, now, comparisonPeriod(last), reportOf([]))).toBeNull();
});
