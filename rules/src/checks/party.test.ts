import type { TerminalLine, TerminalSnapshot } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { pick } from "../../test/pick.ts";
import { createSalesReport } from "../sales/sales-report.ts";

const RUNS = 1_000;

/** Checks, and the number of guests that the report counts once all of them are paid. */
function createService() {
  const restaurant = createRestaurant();
  const snapshotOf = (posReference: string) => {
    const order = restaurant.state.order(posReference);
    if (order === null) throw new Error(`no check ${posReference}`);
    return order.snapshot;
  };
  return {
    snapshotOf,
    orders: restaurant.orders,
    advance: () => restaurant.advance(60_000),
    discard: (posReference: string) => expect(restaurant.discard(posReference)).toBeNull(),
    write(contents: Record<string, TerminalSnapshot>): void {
      const orders = Object.entries(contents).map(([posReference, snapshot]) => ({
        posReference,
        baseVersion: restaurant.versionOf(posReference),
        snapshot,
      }));
      expect(restaurant.change({ type: "ORDER_BATCH", orders, additionalCheck: true })).toBeNull();
    },
    guests(): number {
      const report = createSalesReport({ taxes: [], rounding: undefined, hourOf: () => "" });
      for (const { snapshot } of restaurant.orders()) report.addCheck(0, snapshot);
      return report.read().hours.reduce((all, { guests }) => all + guests, 0);
    },
  };
}

/** Content for the remaining check of a merge, without a number of guests. */
const merged = (tableId: number | null, ...ids: string[]): TerminalSnapshot => {
  const { guestCount: _, ...content } = at(tableId, 1, ...ids);
  return content;
};
const dish = (id: string): TerminalLine => ({ id, quantity: 1, productId: 1, unitPrice: 100 });
const at = (tableId: number | null, guestCount: number, ...ids: string[]): TerminalSnapshot => ({
  orderType: tableId === null ? "takeout" : "dine_in",
  tableId,
  guestCount,
  lines: ids.map(dish),
});

describe("guests of a party", () => {
  it("the guests of a check count once when a part of it moves to another table, and then the rest [RULE-42]", () => {
    const { write, guests, advance } = createService();
    write({ A: at(1, 4, "a", "b", "c") });
    advance();
    write({ B: at(1, 4, "c"), A: at(1, 4, "a", "b") });
    write({ B: at(2, 4, "c") });
    advance();
    write({ C: at(3, 4, "b"), A: at(1, 4, "a") });
    expect(guests()).toBe(4);
    write({ A: at(9, 4, "a") });
    expect(guests()).toBe(4);
    write({ T: at(null, 1, "x", "y") });
    write({ U: at(null, 1, "y"), T: at(null, 1, "x") });
    expect(guests()).toBe(5);
  });

  it("guests add up when the checks of two parties are merged, and separate again when that is undone [RULE-42]", () => {
    const { write, guests, snapshotOf } = createService();
    write({ A: at(1, 4, "a") });
    write({ B: at(2, 3, "b"), C: at(5, 2, "c") });
    write({ B: merged(2, "b", "a"), A: at(1, 4) });
    expect([snapshotOf("B").guestCount, guests()]).toEqual([7, 9]);
    write({ C: { lines: [dish("c"), dish("b"), dish("a")] }, B: at(2, 7) });
    expect([snapshotOf("C").guestCount, guests()]).toEqual([9, 9]);
    write({ D: at(2, 7, "b", "a"), C: at(5, 2, "c") });
    write({ E: at(1, 4, "a"), D: at(2, 3, "b") });
    expect(guests()).toBe(9);
    // A number of guests named by the writer counts.
    write({ E: at(1, 4, "a", "b"), D: at(2, 3) });
    expect([snapshotOf("E").guestCount, guests()]).toEqual([4, 6]);
  });

  it("the number of guests stays the same when a part returns or another check at the table is merged [RULE-42]", () => {
    const { write, guests, snapshotOf, advance } = createService();
    write({ A: at(1, 4, "a", "b") });
    write({ B: at(1, 5, "b"), A: at(1, 4, "a") });
    write({ B: at(3, 5, "b") });
    expect(guests()).toBe(5);
    write({ A: merged(1, "a", "b"), B: at(3, 5) });
    expect([snapshotOf("A").guestCount, guests()]).toEqual([5, 5]);
    advance();
    write({ C: at(1, 1, "c") });
    write({ A: merged(1, "a", "b", "c"), C: at(1, 1) });
    expect([snapshotOf("A").guestCount, guests()]).toEqual([5, 5]);
    // Dishes that join another party bring no guests.
    write({ D: at(4, 2, "d") });
    write({ D: at(4, 2, "d", "c"), A: at(1, 5, "a", "b") });
    expect([snapshotOf("D").guestCount, guests()]).toEqual([2, 7]);
  });
});

const kinds = ["open", "takeaway", "split", "part", "move", "carry", "merge", "undone", "discard"] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds, ...(["split", "part", "move", "merge"] as const)),
  a: fc.nat(99),
  b: fc.nat(99),
  guests: fc.integer({ min: 1, max: 6 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** An evening that tracks separately who came, and whose dishes are on which check. */
function createEvening() {
  const service = createService();
  const { snapshotOf, write } = service;
  let names = 0;
  const name = (): string => `n${(names += 1)}`;
  const guestsByCheck = new Map<string, number>();
  const partiesOf = new Map<string, ReadonlySet<string>>();
  /** Split parties, and those of them merged again. A merge may include one split party at most, and each only once. */
  const apart = new Set<string>();
  const joined = new Set<string>();
  const of = (posReference: string): ReadonlySet<string> => partiesOf.get(posReference) ?? new Set();
  const contentOf = (posReference: string) => {
    const { orderType, tableId, guestCount, lines } = snapshotOf(posReference);
    return { orderType, tableId, guestCount, lines: lines.map(({ id }) => dish(id)) };
  };
  const references = (): string[] => service.orders().map(({ posReference }) => posReference);
  const freeTable = (): number => {
    const occupied = new Set(service.orders().map(({ tableId }) => tableId));
    return [...Array(99).keys()].findIndex((index) => !occupied.has(index + 1)) + 1;
  };

  function open(tableId: number | null, guests: number): void {
    const posReference = name();
    guestsByCheck.set(posReference, guests);
    partiesOf.set(posReference, new Set([posReference]));
    write({ [posReference]: at(tableId, guests, name(), name(), name()) });
  }
  function split(one: string, isMoved: boolean): void {
    const content = contentOf(one);
    const part = name();
    const tableId = isMoved ? freeTable() : content.tableId;
    if (content.lines.length < 2) return;
    for (const party of of(one)) apart.add(party);
    partiesOf.set(part, of(one));
    const [last, rest] = [content.lines.slice(-1), content.lines.slice(0, -1)];
    write({ [part]: { ...content, tableId, lines: last }, [one]: { ...content, lines: rest } });
  }
  function merge(one: string, other: string, isUndone: boolean): void {
    const [from, into] = [contentOf(one), contentOf(other)];
    const together = new Set([...of(one), ...of(other)]);
    const isOfOneParty = [...of(one)].some((party) => of(other).has(party));
    const areApart = [one, other].filter((each) => [...of(each)].some((party) => apart.has(party)));
    if (!isOfOneParty && areApart.length > 0) {
      if (areApart.length > 1 || [...together].some((party) => joined.has(party))) return;
      for (const party of together) {
        joined.add(party);
        apart.add(party);
      }
    }
    const isPlain = !isOfOneParty && areApart.length === 0;
    const { guestCount: _, ...all } = { ...into, lines: [...into.lines, ...from.lines] };
    write({ [other]: all, [one]: { ...from, lines: [] } });
    if (isUndone && isPlain) {
      const again = name();
      partiesOf.set(again, of(one));
      write({ [again]: from, [other]: into });
    } else {
      partiesOf.set(other, together);
    }
    partiesOf.delete(one);
  }
  function run({ kind, a, b, guests }: Step): void {
    const one = pick(references(), a);
    if (kind === "takeaway") return open(null, 1);
    if (kind === "open" || one === undefined) return open(freeTable(), guests);
    const other = pick(
      references().filter((each) => each !== one),
      b,
    );
    const content = contentOf(one);
    if (kind === "split" || kind === "part") split(one, kind === "part");
    else if (kind === "move" && content.tableId !== null) write({ [one]: { ...content, tableId: freeTable() } });
    else if (kind === "discard") {
      service.discard(one);
      partiesOf.delete(one);
    } else if (kind === "carry" && other !== undefined && content.lines.length > 1) {
      const into = contentOf(other);
      const [first, rest] = [content.lines.slice(0, 1), content.lines.slice(1)];
      write({ [other]: { ...into, lines: [...into.lines, ...first] }, [one]: { ...content, lines: rest } });
    } else if ((kind === "merge" || kind === "undone") && other !== undefined) merge(one, other, kind === "undone");
  }
  return {
    run(each: Step): void {
      service.advance();
      run(each);
    },
    counted: service.guests,
    expected: (): number => {
      const paid = new Set(references().flatMap((each) => [...of(each)]));
      return [...paid].reduce((sum, party) => sum + (guestsByCheck.get(party) ?? 0), 0);
    },
  };
}

it(`no split, move or merge loses or doubles a guest (${RUNS} evenings) [RULE-42]`, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const evening = createEvening();
      for (const each of steps) {
        evening.run(each);
        expect(evening.counted()).toBe(evening.expected());
      }
    }),
    { numRuns: RUNS },
  );
});
