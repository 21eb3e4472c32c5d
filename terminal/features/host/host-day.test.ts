import { MINUTE_MS, Reservation, reservationPhase } from "@comanda/protocol";
import type { Booking, LocalOrder } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { bookingsOfDay, tablesByRoom } from "./host-day.ts";

const noon = new Date(2026, 10, 21, 12).getTime();

function booking(key: string, inMinutes: number, fields: Partial<Reservation> = {}): Booking {
  const at = new Date(noon + inMinutes * MINUTE_MS).toISOString();
  const reservation = Reservation.parse({ tableId: 1, at, guestName: key, ...fields });
  return { key, version: 1, reservation, phase: reservationPhase(reservation, noon), order: null };
}

const checkOf = (key: string) =>
  ({ posReference: "A", snapshot: { pluginData: { reservations: { key } } } }) as unknown as LocalOrder;

describe("the host list", () => {
  it("the host list has missed guests first, then expected ones, and arrived ones last [TOUCH-120]", () => {
    const bookings = [
      booking("tonight", 400),
      booking("gone", 10, { status: "no_show" }),
      booking("late", -40),
      booking("soon", 30),
      booking("seated", -5),
      booking("due", -10),
      booking("tomorrow", 24 * 60),
      booking("at breakfast", -361),
    ];
    const list = bookingsOfDay(bookings, [checkOf("seated")], noon);
    expect(list.map(({ key, state, check }) => [key, state, check?.posReference ?? null])).toEqual([
      ["late", "late", null],
      ["due", "due", null],
      ["soon", "upcoming", null],
      ["tonight", "later", null],
      ["seated", "seated", "A"],
      ["gone", "noShow", null],
    ]);
  });

  it.each([
    ["at midnight", [2026, 10, 22, 0, 10]],
    ["when the business day has ended", [2026, 10, 22, 5, 10]],
    ["when the business day is about to end", [2026, 10, 22, 4, 50]],
  ] as const)(
    "the host list keeps arrived and absent guests %s [TOUCH-120]",
    (_when, [year, month, date, hour, minute]) => {
      const now = new Date(year, month, date, hour, minute).getTime();
      const inMinutes = (minutes: number) => (now - noon) / MINUTE_MS + minutes;
      const bookings = [
        booking("seated", inMinutes(-40), { status: "seated" }),
        booking("absent", inMinutes(-50), { status: "no_show" }),
        booking("cancelled", inMinutes(25), { status: "cancelled" }),
        booking("yesterday", inMinutes(-24 * 60), { status: "seated" }),
      ];
      expect(bookingsOfDay(bookings, [], now).map(({ key }) => key)).toEqual(["seated", "absent", "cancelled"]);
    },
  );

  it("the host list has the bookings of the restaurant's day, whatever the device's time zone [TOUCH-628]", () => {
    const now = Date.parse("2026-11-21T16:00:00Z");
    const bookings = [
      booking("tonight", (now - noon) / MINUTE_MS + 12 * 60),
      booking("lunch", (now - noon) / MINUTE_MS + 24 * 60),
    ];
    const keysIn = (zone: string) => bookingsOfDay(bookings, [], now, zone).map(({ key }) => key);
    expect(keysIn("America/Santo_Domingo")).toEqual(["tonight"]);
    expect(keysIn("Asia/Tokyo")).toEqual([]);
  });

  it("the host list counts guests after midnight to the evening before [TOUCH-120]", () => {
    const bookings = [booking("afterMidnight", 12.5 * 60), booking("lunch", 24 * 60)];
    expect(bookingsOfDay(bookings, [], noon).map(({ key }) => key)).toEqual(["afterMidnight"]);
  });

  it("the smallest free table with enough seats is offered first [TOUCH-122]", () => {
    const tables = [
      { id: 1, seats: 2 },
      { id: 2, seats: 8 },
      { id: 3, seats: 4 },
    ];
    expect(tablesByRoom(tables, 3).map(({ id }) => id)).toEqual([3, 2, 1]);
  });
});
