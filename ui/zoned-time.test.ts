import { expect, it } from "vitest";
import { hourAfterDays, nextMorning, zonedTime } from "./zoned-time.ts";

it("the instant of a local time in a zone is found [UI-301]", () => {
  const iso = (local: string, zone: string) => new Date(zonedTime(local, zone)).toISOString();
  expect(iso("2026-11-21T09:00", "America/Santo_Domingo")).toBe("2026-11-21T13:00:00.000Z");
  expect(iso("2026-11-21T09:00", "Asia/Kolkata")).toBe("2026-11-21T03:30:00.000Z");
  expect(iso("2026-03-08T01:59", "America/New_York")).toBe("2026-03-08T06:59:00.000Z");
  expect(iso("2026-03-08T03:00", "America/New_York")).toBe("2026-03-08T07:00:00.000Z");
  expect(iso("2026-11-01T09:00", "America/New_York")).toBe("2026-11-01T14:00:00.000Z");
  expect(zonedTime("", "America/Santo_Domingo")).toBeNaN();
});

it("an hour some days later counts from the zone's own day, also over a change of its clocks [UI-301]", () => {
  const after = (at: string, days: number, zone: string) =>
    new Date(hourAfterDays(Date.parse(at), days, 9, zone)).toISOString();
  // Still the 20th in Santo Domingo.
  expect(after("2026-11-21T02:00:00Z", 1, "America/Santo_Domingo")).toBe("2026-11-21T13:00:00.000Z");
  expect(after("2026-10-31T03:30:00Z", 2, "America/New_York")).toBe("2026-11-01T14:00:00.000Z");
});

it("the next morning is that of the business day, also past midnight [TOUCH-18]", () => {
  const at = (hour: number) => new Date(2026, 10, 22, hour, 30).getTime();
  expect(new Date(nextMorning(at(20)))).toEqual(new Date(2026, 10, 23, 5));
  expect(new Date(nextMorning(at(1)))).toEqual(new Date(2026, 10, 22, 5));
  // Half past one at night in Santo Domingo.
  const evening = Date.parse("2026-11-22T05:30:00Z");
  expect(new Date(nextMorning(evening, "America/Santo_Domingo"))).toEqual(new Date("2026-11-22T09:00:00Z"));
});
