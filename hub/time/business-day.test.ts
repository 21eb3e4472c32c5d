import { expect, it } from "vitest";
import { businessDay, dayBounds, namedDay } from "./business-day.ts";

it.each([
  ["America/Santo_Domingo", "2026-11-22", "2026-11-22T09:00:00.000Z", "2026-11-23T09:00:00.000Z"],
  // Clocks go forward, then back.
  ["America/New_York", "2026-03-07", "2026-03-07T10:00:00.000Z", "2026-03-08T09:00:00.000Z"],
  ["America/New_York", "2026-10-31", "2026-10-31T09:00:00.000Z", "2026-11-01T10:00:00.000Z"],
  ["Asia/Kathmandu", "2026-12-31", "2026-12-30T23:15:00.000Z", "2026-12-31T23:15:00.000Z"],
])("a business day of %s, %s, ends at five in the morning [OP-471]", (timeZone, day, from, to) => {
  const bounds = dayBounds(day, timeZone);
  expect([bounds.from, bounds.to].map((at) => new Date(at).toISOString())).toEqual([from, to]);
  expect(
    [bounds.from - 1, bounds.from, bounds.to - 1, bounds.to].map((at) => businessDay(at, timeZone) === day),
  ).toEqual([false, true, true, false]);
});

it("before five in the morning the calendar date names the business day that still runs [TILL-37]", () => {
  const timeZone = "America/Santo_Domingo";
  const at = (time: string): number => Date.parse(`2026-11-28T${time}-04:00`);
  expect(namedDay("2026-11-28", at("04:59:59"), timeZone)).toBe("2026-11-27");
  expect(namedDay("2026-11-28", at("05:00:00"), timeZone)).toBe("2026-11-28");
  expect(namedDay("2026-11-28", at("00:00:00"), timeZone)).toBe("2026-11-27");
  // No other date names that day.
  expect(["2026-11-27", "2026-11-29"].map((date) => namedDay(date, at("02:00:00"), timeZone))).toEqual([
    "2026-11-27",
    "2026-11-29",
  ]);
});
