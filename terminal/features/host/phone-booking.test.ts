import { HOUR_MS } from "@comanda/protocol";
import type { Booking } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { dayOf } from "@comanda/ui/zoned-time.ts";
import { localTime, nextTimeOf, timeOfDay } from "../../lib/labels/local-time.ts";
import { tablesFor } from "./phone-booking.ts";

const eight = Date.parse("2026-11-26T20:00:00Z");

const booking = (tableId: number, at: number, status: "booked" | "cancelled" = "booked"): Booking => ({
  key: `b-${tableId}`,
  version: 1,
  phase: "upcoming",
  order: null,
  reservation: {
    tableId,
    at: new Date(at).toISOString(),
    guestName: "Ana",
    status,
    leadMinutes: 45,
    graceMinutes: 20,
  },
});

describe("a booking by telephone", () => {
  it("a telephone booking proposes the smallest table with enough seats that is free around that time [TOUCH-393]", () => {
    const tables = [
      { id: 1, name: "Mesa 1", seats: 2 },
      { id: 2, name: "Mesa 2", seats: 8 },
      { id: 3, name: "Mesa 3", seats: 4 },
      { id: 4, name: "Mesa 4", seats: 4 },
    ];
    const bookings = [booking(3, eight + HOUR_MS), booking(4, eight + 2 * HOUR_MS), booking(2, eight, "cancelled")];
    const names = (at: number | null) =>
      tablesFor({ tables, bookings, partySize: 4, at }).map(({ name, bookedAt }) => [name, bookedAt]);
    expect(names(eight)).toEqual([
      ["Mesa 4", null],
      ["Mesa 2", null],
      ["Mesa 1", null],
      ["Mesa 3", eight + HOUR_MS],
    ]);
    expect(names(null).map(([name]) => name)).toEqual(["Mesa 3", "Mesa 4", "Mesa 2", "Mesa 1"]);
  });

  it("a telephone booking names its time by the local day and hour [TOUCH-393]", () => {
    expect(timeOfDay(dayOf(eight), localTime(eight))).toBe(eight);
    expect(timeOfDay("2026-11-26", "")).toBeNull();
  });

  it("a telephone booking uses the restaurant's clock, whatever the device's time zone [TOUCH-628]", () => {
    const zone = "America/Santo_Domingo";
    const evening = Date.parse("2026-11-27T00:30:00Z");
    expect([dayOf(evening, zone), localTime(evening, zone)]).toEqual(["2026-11-26", "20:30"]);
    expect(timeOfDay("2026-11-26", "20:30", zone)).toBe(evening);
    expect(nextTimeOf("20:30", evening - HOUR_MS, zone)).toBe(evening);
    expect(nextTimeOf("01:00", evening, zone)).toBe(evening + 4.5 * HOUR_MS);
  });

  it("a telephone booking is for the next time at that hour, even after midnight [TOUCH-394]", () => {
    expect(nextTimeOf(localTime(eight), eight - HOUR_MS)).toBe(eight);
    expect(nextTimeOf(localTime(eight), eight + HOUR_MS)).toBe(eight);
    expect(nextTimeOf(localTime(eight), eight + 3 * HOUR_MS)).toBe(eight + 24 * HOUR_MS);
    expect(nextTimeOf("", eight)).toBeNull();
  });
});
