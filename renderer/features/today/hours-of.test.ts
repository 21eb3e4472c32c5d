import { describe, expect, it } from "vitest";
import { isOneDay, fillHours } from "./hours-of.ts";

const hour = (from: string) => ({ from, checks: 1, guests: 2, amount: 100, refunded: 0, tips: 0 });

describe("hours of a day", () => {
  it("the hours of a day include those without sales in between [UI-405]", () => {
    const [eleven, two] = [hour("2026-11-22T23:00:00.000Z"), hour("2026-11-23T02:00:00.000Z")];
    expect(fillHours([eleven, two]).map(({ from, amount }) => [from.slice(11, 16), amount])).toEqual([
      ["23:00", 100],
      ["00:00", 0],
      ["01:00", 0],
      ["02:00", 100],
    ]);
    expect(fillHours([])).toEqual([]);
  });

  it("the hours of a session that is days old are those with sales, with their dates [UI-405]", () => {
    const hours = [hour("2026-11-20T23:00:00.000Z"), hour("2026-11-23T02:00:00.000Z")];
    expect(fillHours(hours)).toEqual(hours);
    expect(isOneDay(hours)).toBe(false);
    expect(isOneDay([hour("2026-11-20T23:00:00.000Z"), hour("2026-11-21T22:00:00.000Z")])).toBe(true);
  });
});
