import { MINUTE_MS } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { quoteMinutes, usualQuote, type Seating } from "./quote.ts";

const now = Date.parse("2026-11-21T20:00:00Z");

const tables = [
  { id: 1, seats: 2, bookedAt: null },
  { id: 2, seats: 4, bookedAt: null },
  { id: 3, seats: 6, bookedAt: null },
];
/** Tables with turns of 60 minutes; `minutes` says how long ago each was taken. */
const seating = (minutes: Record<number, number>, more: Partial<Seating> = {}): Seating => ({
  tables,
  occupiedSince: new Map(Object.entries(minutes).map(([id, ago]) => [Number(id), now - ago * MINUTE_MS])),
  turnsMs: [50, 60, 90].map((turn) => turn * MINUTE_MS),
  ahead: [],
  ...more,
});

describe("quoted waiting time", () => {
  it("no wait is quoted while a table with enough seats is free [TOUCH-126]", () => {
    expect(quoteMinutes(seating({ 1: 5 }), 4, now)).toBe(0);
    expect(quoteMinutes(seating({}, { turnsMs: [] }), 6, now)).toBe(0);
  });

  it("the quote is the time until the first table turns, as those of this shift did, in steps of five [TOUCH-126]", () => {
    expect(quoteMinutes(seating({ 1: 55, 2: 38, 3: 10 }), 3, now)).toBe(25);
    expect(quoteMinutes(seating({ 1: 5, 2: 90, 3: 10 }), 3, now)).toBe(5);
  });

  it("the quote lets each party ahead take a table first [TOUCH-126]", () => {
    expect(quoteMinutes(seating({ 1: 55, 2: 40, 3: 10 }, { ahead: [4] }), 3, now)).toBe(50);
    expect(quoteMinutes(seating({ 1: 55, 2: 40, 3: 10 }, { ahead: [4, 6] }), 3, now)).toBe(80);
    expect(quoteMinutes(seating({ 1: 55 }, { ahead: [2] }), 2, now)).toBe(0);
  });

  it("the quote ignores tables that are booked soon [TOUCH-126]", () => {
    const [two, four, six] = tables;
    const booked = [two!, { ...four!, bookedAt: now + 20 * MINUTE_MS }, six!];
    expect(quoteMinutes(seating({ 1: 55, 3: 10 }, { tables: booked }), 3, now)).toBe(50);
    expect(quoteMinutes(seating({ 1: 55, 2: 38, 3: 10 }, { tables: booked }), 3, now)).toBe(50);
  });

  it("the quote is unknown without enough paid tables, or without a table of that size [TOUCH-126]", () => {
    expect(quoteMinutes(seating({ 1: 5, 2: 5, 3: 5 }, { turnsMs: [60 * MINUTE_MS] }), 2, now)).toBeNull();
    expect(quoteMinutes(seating({}), 7, now)).toBeNull();
  });
});

it("the usual quote is never less than the remaining wait of those ahead [TOUCH-1089]", () => {
  const party = (quotedMinutes: number, ago: number) => ({
    quotedMinutes,
    since: new Date(now - ago * MINUTE_MS).toISOString(),
  });
  expect(usualQuote([], now)).toBe(15);
  expect(usualQuote([party(60, 12), party(20, 5)], now)).toBe(50);
  expect(usualQuote([party(60, 70)], now)).toBe(15);
});
