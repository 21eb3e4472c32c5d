import { describe, expect, it } from "vitest";
import { content, pluginRecord, storedOrder } from "../../../test/builders.ts";
import { shownOrder } from "../../../test/local-state.ts";
import { readReservations } from "./read-reservations.ts";

const at = "2026-11-21T20:00:00-04:00";
const sitting = Date.parse(at);
const minute = 60_000;

describe("readReservations", () => {
  it("a booking shows its phase at the given time, and when the next one begins [CLIENT-53]", () => {
    const records = [pluginRecord("one", { tableId: 4, at, guestName: "Ana", leadMinutes: 30, graceMinutes: 10 })];
    const results = [-31, -30, 0, 10].map((offset) => {
      const { bookings, nextChangeAt } = readReservations(records, [], sitting + offset * minute);
      return [bookings[0]?.phase, nextChangeAt === null ? null : nextChangeAt - sitting];
    });
    expect(results).toEqual([
      ["invisible", -30 * minute],
      ["upcoming", 0],
      ["due", 10 * minute + 1],
      ["due", 10 * minute + 1],
    ]);
    const after = readReservations(records, [], sitting + 10 * minute + 1);
    expect([after.bookings[0]?.phase, after.nextChangeAt]).toEqual(["late", sitting + 360 * minute]);
  });

  it("a booking is not late any more six hours after its time [CLIENT-383]", () => {
    const records = [pluginRecord("one", { tableId: 4, at, guestName: "Ana", graceMinutes: 240 })];
    const results = [240, 241, 359, 360].map((offset) => {
      const { bookings, nextChangeAt } = readReservations(records, [], sitting + offset * minute);
      return [bookings[0]?.phase, nextChangeAt === null ? null : nextChangeAt - sitting];
    });
    expect(results).toEqual([
      ["due", 240 * minute + 1],
      ["late", 360 * minute],
      ["late", 360 * minute],
      ["ended", null],
    ]);
  });

  it("a booking that breaks a rule is dropped, with the rule [CLIENT-53]", () => {
    const broken = { ...pluginRecord("one", { tableId: 0 }), warnings: ["tableId: too small"] };
    const { bookings, dropped } = readReservations([broken], [], sitting);
    expect([bookings, dropped]).toEqual([[], [{ key: "one", reason: "tableId: too small" }]]);
  });

  it("a booking without times has the usual ones [CLIENT-53]", () => {
    const payload = { tableId: 4, at, guestName: "Ana" };
    const { bookings } = readReservations([pluginRecord("one", payload)], [], sitting);
    expect(bookings[0]?.reservation).toEqual({ ...payload, status: "booked", leadMinutes: 45, graceMinutes: 20 });
  });

  it("records of other plugins are not read [CLIENT-53]", () => {
    const { bookings, dropped } = readReservations([pluginRecord("one", {}, "loyalty")], [], sitting);
    expect([bookings, dropped]).toEqual([[], []]);
  });

  it("a seated booking is represented by the order that names it [CLIENT-54]", () => {
    const seated = { tableId: 4, at, guestName: "Ana", status: "seated" };
    const stored = storedOrder("A", 1, content([], { pluginData: { reservations: { key: "one" } } }));
    const order = shownOrder("A", stored, []);
    const { bookings } = readReservations([pluginRecord("one", seated)], order === undefined ? [] : [order], sitting);
    expect(bookings).toMatchObject([{ key: "one", phase: "ended", order: "A" }]);
  });
});
