import { Reservation, type OperatorReservation } from "@comanda/protocol";
import { expect, it } from "vitest";
import { dayPlan, hourMarks } from "./day-plan.ts";

function booked(key: string, tableId: number, at: string): OperatorReservation {
  const booking = Reservation.parse({ tableId, at, guestName: "Rosa" });
  return { key, version: 1, updatedAt: at, expiresAt: null, booking, problem: null, payload: {} };
}
const noon = Date.parse("2026-11-21T12:00:00Z");

it("[UI-20] draws whole hours around all bookings, a row per table, in order of time", () => {
  const plan = dayPlan(
    [
      booked("b", 2, "2026-11-21T20:30:00Z"),
      booked("c", 1, "2026-11-21T13:00:00Z"),
      booked("a", 2, "2026-11-21T19:00:00Z"),
    ],
    noon,
  );
  expect(new Date(plan.start).toISOString()).toBe("2026-11-21T12:00:00.000Z");
  expect(new Date(plan.end).toISOString()).toBe("2026-11-21T22:00:00.000Z");
  expect(plan.rows.map((row) => [row.tableId, row.bookings.map((one) => one.key)])).toEqual([
    [1, ["c"]],
    [2, ["a", "b"]],
  ]);
  expect(hourMarks(plan)).toHaveLength(11);
});

it("[UI-20] leaves invalid records out of the drawing", () => {
  const broken = { ...booked("x", 1, "2026-11-21T13:00:00Z"), booking: null, problem: { words: "no time" } };
  expect(dayPlan([broken], noon).rows).toEqual([]);
});
