import { expect, it } from "vitest";
import { refusalOfCount, refusalOfDrawer, refusalOfMove, refusalOfOpening, shiftOfMoney } from "./till-rules.ts";

const free = { shift: null };
const occupied = { shift: { id: "one", state: "open" as const } };
const shift = (state: "open" | "counted" | "closed") => ({ state });

it("a cashier or manager can open a shift at an existing till that has none [TILL-2]", () => {
  expect(refusalOfOpening("waiter", free)).toBe("FORBIDDEN");
  for (const role of ["cashier", "manager"] as const) {
    expect([null, occupied, free].map((till) => refusalOfOpening(role, till))).toEqual(["NO_TILL", "SHIFT_OPEN", null]);
  }
});

it("a cashier or manager can open a drawer, with or without a shift [TILL-35]", () => {
  expect(refusalOfDrawer("waiter", free)).toBe("FORBIDDEN");
  expect([null, occupied, free].map((till) => refusalOfDrawer("cashier", till))).toEqual(["NO_TILL", null, null]);
});

it("money can be moved while a shift is open, and counted until it is closed [TILL-3, TILL-21]", () => {
  const shifts = [shift("open"), shift("counted"), shift("closed"), null];
  expect(shifts.map((each) => refusalOfMove("waiter", each))).toEqual(shifts.map(() => "FORBIDDEN"));
  expect(shifts.map((each) => refusalOfCount("waiter", each))).toEqual(shifts.map(() => "FORBIDDEN"));
  const closed = "SHIFT_CLOSED";
  expect(shifts.map((each) => refusalOfMove("cashier", each))).toEqual([null, closed, closed, closed]);
  expect(shifts.map((each) => refusalOfCount("cashier", each))).toEqual([null, null, closed, closed]);
});

it("a payment taken now belongs to the open shift, however far ahead its times are [TILL-240]", () => {
  const now = Date.parse("2026-11-21T20:00:00Z");
  const [hour, day] = [3_600_000, 86_400_000];
  const open = { id: "second", openedAt: now + hour, countedAt: null };
  const counted = { id: "first", openedAt: now - day, countedAt: now + hour };
  const shiftFor = (ageMs: number, ...shifts: (typeof open | typeof counted)[]) =>
    shiftOfMoney(shifts, now - ageMs, now);
  expect([shiftFor(0, open), shiftFor(300, open, counted)]).toEqual([
    { shiftId: "second", queuedIn: null },
    { shiftId: "second", queuedIn: null },
  ]);
  expect(shiftFor(hour, open, counted)).toEqual({ shiftId: null, queuedIn: "first" });
  // The same for queued payments, because it is unknown how long ago such a shift was opened.
  expect([shiftFor(hour, open), shiftFor(hour, open, { ...counted, countedAt: now - 2 * hour })]).toEqual([
    { shiftId: "second", queuedIn: null },
    { shiftId: "second", queuedIn: null },
  ]);
});
