import { Reservation, type OperatorReservation } from "@comanda/protocol";
import { expect, it } from "vitest";
import { bookingsOf, dayPlan, hourMarks, type DayPlan } from "./day-plan.ts";

function booked(key: string, tableId: number, at: string, status = "booked"): OperatorReservation {
  const booking = Reservation.parse({ tableId, at, guestName: "Rosa", status });
  return { key, version: 1, updatedAt: at, expiresAt: null, booking, problem: null, payload: {} };
}

it("the day plan spans whole hours around all bookings, with a row per table in order of time [UI-20]", () => {
  const plan = dayPlan(
    bookingsOf([
      booked("b", 2, "2026-11-21T20:30:00Z"),
      booked("c", 1, "2026-11-21T13:00:00Z"),
      booked("a", 2, "2026-11-21T19:00:00Z"),
    ]),
  );
  expect(new Date(plan?.start ?? 0).toISOString()).toBe("2026-11-21T12:00:00.000Z");
  expect(new Date(plan?.end ?? 0).toISOString()).toBe("2026-11-21T22:00:00.000Z");
  expect(lanesByTable(plan)).toEqual([
    [1, [["c"]]],
    [2, [["a", "b"]]],
  ]);
  expect(hourMarks(plan!)).toHaveLength(11);
});

it("bookings of a table at the same time get a lane each, and cancelled ones and no-shows get none [UI-589]", () => {
  const plan = dayPlan(
    bookingsOf([
      booked("a", 2, "2026-11-21T19:00:00Z"),
      booked("b", 2, "2026-11-21T19:30:00Z"),
      booked("c", 2, "2026-11-21T20:30:00Z"),
      booked("d", 2, "2026-11-21T19:00:00Z", "cancelled"),
      booked("e", 1, "2026-11-21T08:00:00Z", "no_show"),
      booked("f", 1, "2026-11-21T19:00:00Z", "seated"),
    ]),
  );
  expect(lanesByTable(plan)).toEqual([
    [1, [["f"]]],
    [2, [["a", "c"], ["b"]]],
  ]);
  expect(new Date(plan?.start ?? 0).toISOString()).toBe("2026-11-21T18:00:00.000Z");
});

function lanesByTable(plan: DayPlan | null): [tableId: number, lanes: string[][]][] | undefined {
  return plan?.rows.map(({ tableId, lanes }) => [tableId, lanes.map((lane) => lane.map(({ key }) => key))]);
}

it("a day of invalid records, or without bookings that will come, has no drawing [UI-20] [UI-589]", () => {
  const broken = { ...booked("x", 1, "2026-11-21T13:00:00Z"), booking: null, problem: { words: "no time" } };
  const cancelled = booked("y", 1, "2026-11-21T19:00:00Z", "cancelled");
  expect(dayPlan(bookingsOf([broken, cancelled]))).toBeNull();
});
