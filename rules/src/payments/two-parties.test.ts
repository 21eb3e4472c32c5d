import type { Adjustment, Snapshot, StoredLine, TerminalLine } from "@comanda/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRestaurant, type RestaurantOptions } from "../../test/restaurant.ts";
import { pick } from "../../test/pick.ts";
import { addUp, asGranted, splitAmount, sum, toCents } from "../index.ts";

const RUNS = 200;
const CARD = 2;
const menu: NonNullable<RestaurantOptions["menu"]> = {
  products: [],
  taxes: [],
  rounding: "line",
  paymentMethods: [{ id: CARD, type: "bank" }],
};
const cashier = { terminalId: "caja", mayVoid: true };

const kinds = [
  "order",
  "tender",
  "tender",
  "void",
  "settle",
  "part",
  "part",
  "carry",
  "merge",
  "merge",
  "cut",
  "discount",
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  a: fc.nat(99),
  b: fc.nat(99),
  cents: fc.integer({ min: 1, max: 9_999 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const plain = ({ id, quantity, unitPrice, total, splitOf, splitFrom }: StoredLine): TerminalLine => ({
  id,
  quantity,
  unitPrice,
  total,
  ...(splitOf !== undefined && { splitOf }),
  ...(splitFrom !== undefined && { splitFrom }),
});

/** The checks of two parties at one table, and separately what was taken for them. */
function createEvening() {
  const restaurant = createRestaurant({ menu });
  let names = 0;
  const name = (): string => `n${(names += 1)}`;
  /** What tenders took, by id, less what was given back. */
  const taken = new Map<string, number>();
  const snapshots = (): Snapshot[] => restaurant.orders().map(({ snapshot }) => snapshot);
  const open = (): Snapshot[] => snapshots().filter(({ status }) => status !== "paid");
  const write = (
    ...contents: { posReference: string; lines: TerminalLine[]; adjustments?: Adjustment[] | undefined }[]
  ) =>
    restaurant.change(
      {
        type: "ORDER_BATCH",
        additionalCheck: true,
        orders: contents.map(({ posReference, lines, adjustments = [] }) => ({
          posReference,
          baseVersion: restaurant.versionOf(posReference),
          snapshot: { orderType: "dine_in" as const, tableId: 4, lines, adjustments },
        })),
      },
      cashier,
    );
  const lineOf = (cents: number): TerminalLine => ({
    id: name(),
    quantity: 1,
    unitPrice: cents / 100,
    total: cents / 100,
  });
  for (const posReference of ["A", "B"]) {
    expect(write({ posReference, lines: [lineOf(10_000), lineOf(3_333)] })).toBeNull();
  }
  const dueOf = ({ totals, tenders = [] }: Snapshot): number =>
    toCents(totals.total) - tenders.reduce((all, { amount, voided }) => all + (voided ? 0 : toCents(amount)), 0);

  function tender(check: Snapshot, cents: number): void {
    const tenderId = name();
    const refusal = restaurant.change(
      { type: "ORDER_TENDER", posReference: check.posReference, tenderId, methodId: CARD, amount: cents / 100 },
      cashier,
    );
    expect(refusal).toBeNull();
    taken.set(tenderId, cents);
  }
  function settle(check: Snapshot): void {
    const { posReference, lines } = check;
    if (lines.length === 0) {
      expect(restaurant.discard(posReference, cashier)).toBeNull();
      return;
    }
    const due = dueOf(check);
    if (due > 0) return tender(check, due);
    expect(due).toBe(0);
    const baseVersion = restaurant.versionOf(posReference);
    expect(
      restaurant.change({ type: "ORDER_PAY", posReference, baseVersion, paymentId: name(), payments: [] }, cashier),
    ).toBeNull();
  }
  function move(from: Snapshot, into: Snapshot | undefined, count: number): void {
    const [gone, rest] = [from.lines.slice(0, count).map(plain), from.lines.slice(count).map(plain)];
    const { adjustments = [] } = from;
    if (into !== undefined) {
      const all = rest.length === 0 ? [...(into.adjustments ?? []), ...adjustments] : (into.adjustments ?? []);
      write(
        { posReference: into.posReference, lines: [...into.lines.map(plain), ...gone], adjustments: all },
        { posReference: from.posReference, lines: rest, adjustments: rest.length === 0 ? [] : adjustments },
      );
      return;
    }
    const weights = [rest, gone].map((lines) => Math.max(0, sum(lines.map(({ total = 0 }) => total))));
    if (rest.length === 0 || !weights.some((each) => each > 0)) return;
    const parts = adjustments.map(asGranted).map((each) => ({ each, amounts: splitAmount(each.amount, weights) }));
    const own = (index: number) =>
      parts.map(({ each, amounts }) => ({ ...each, amount: amounts[index] ?? 0 })).filter(({ amount }) => amount !== 0);
    write(
      { posReference: from.posReference, lines: rest, ...addUp(rest, own(0)) },
      { posReference: name(), lines: gone, ...addUp(gone, own(1)) },
    );
  }
  return {
    taken,
    snapshots,
    open,
    settle,
    run({ kind, a, b, cents }: Step): void {
      const check = pick(open(), a);
      if (check === undefined) return;
      const other = pick(
        open().filter((each) => each !== check),
        b,
      );
      const { posReference, lines, tenders = [], adjustments = [] } = check;
      const due = dueOf(check);
      if (kind === "order") write({ posReference, lines: [...lines.map(plain), lineOf(cents)], adjustments });
      else if (kind === "tender" && due > 0) tender(check, Math.min(due, cents));
      else if (kind === "void") {
        const one = pick(
          tenders.filter(({ voided }) => voided === undefined),
          b,
        );
        if (one === undefined) return;
        expect(
          restaurant.change(
            { type: "ORDER_TENDER_VOID", posReference, tenderId: one.tenderId, reason: "otra cuenta" },
            cashier,
          ),
        ).toBeNull();
        taken.delete(one.tenderId);
      } else if (kind === "settle") settle(check);
      else if (kind === "part") move(check, undefined, 1);
      else if (kind === "carry" && other && lines.length > 1) move(check, other, 1);
      else if (kind === "merge" && other && lines.length > 0) move(check, other, lines.length);
      else if (kind === "discount")
        write({
          posReference,
          lines: lines.map(plain),
          adjustments: [...adjustments, { kind: "discount", amount: -cents / 100 }],
        });
      else if (kind === "cut" && lines[0]) {
        const [first, ...others] = lines.map(plain);
        const [one = 0, two = 0] = splitAmount(first!.total ?? 0, [1, 2]);
        write({
          posReference,
          lines: [
            { ...first!, quantity: first!.quantity / 3, total: one },
            { ...first!, id: name(), splitOf: first!.id, quantity: (first!.quantity / 3) * 2, total: two },
            ...others,
          ],
          adjustments,
        });
      }
    },
  };
}

it(`no tender is lost and every check is settled to the cent when two parties pay apart and merged (${RUNS} evenings) [RULE-50]`, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const evening = createEvening();
      const check = () => {
        const held = evening
          .snapshots()
          .flatMap(({ tenders = [] }) => tenders.filter(({ voided }) => voided === undefined));
        expect(new Map(held.map(({ tenderId, amount }) => [tenderId, toCents(amount)]))).toEqual(evening.taken);
        for (const { totals, lines, adjustments = [] } of evening.snapshots()) {
          const added = sum(
            [...lines, ...adjustments.map(({ amount }) => ({ total: amount }))].map(({ total = 0 }) => total),
          );
          expect(toCents(totals.total)).toBe(toCents(added));
          expect(toCents(totals.total)).toBeGreaterThanOrEqual(0);
        }
      };
      for (const each of steps) {
        evening.run(each);
        check();
      }
      for (const each of evening.open()) evening.settle(each);
      check();
      expect(evening.open()).toEqual([]);
      for (const { totals, payments = [] } of evening.snapshots()) {
        expect(payments.reduce((all, { amount }) => all + toCents(amount), 0)).toBe(toCents(totals.total));
      }
    }),
    { numRuns: RUNS },
  );
});
