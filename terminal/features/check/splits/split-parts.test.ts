import { addUp, toCents } from "@comanda/rules";
import { totalsOfLines, type OrderContent } from "@comanda/terminal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptySplit,
  fitShares,
  assignToPart,
  partsOfDue,
  shareEqually,
  splitBySeats,
  splitChecks,
  withParts,
  type Shares,
} from "./split-parts.ts";

let made = 0;
const newId = (): string => `new-${(made += 1)}`;

const money = fc.integer({ min: 0, max: 500_000 }).map((cents) => cents / 100);
const lines = fc.array(
  fc.record({
    quantity: fc.oneof(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 9_000 }).map((each) => each / 1_000),
    ),
    total: money,
    voided: fc.boolean(),
    seat: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);
const discount = fc.option(money, { nil: undefined });
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("give" as const),
      line: fc.nat(7),
      part: fc.nat(4),
      quantity: fc.constantFrom(1, 0.5, 2),
    }),
    fc.record({ kind: fc.constant("share" as const), line: fc.nat(7) }),
    fc.record({ kind: fc.constant("parts" as const), parts: fc.integer({ min: 1, max: 5 }) }),
  ),
  { maxLength: 20 },
);

function check(drawn: typeof lines extends fc.Arbitrary<infer T> ? T : never, off: number | undefined): OrderContent {
  const content: OrderContent = {
    orderType: "dine_in",
    tableId: 5,
    lines: drawn.map(({ voided, seat, ...line }, index) => ({
      id: `line-${index}`,
      ...line,
      taxAmount: Math.floor(line.total * 18) / 100,
      ...(voided ? { voided } : {}),
      ...(seat === undefined ? {} : { seat }),
    })),
    adjustments: off === undefined ? [] : [{ kind: "discount", amount: -off, reason: "cortesía" }],
  };
  return { ...content, ...addUp(content.lines ?? [], content.adjustments) };
}

function walk(content: OrderContent, moves: typeof steps extends fc.Arbitrary<infer T> ? T : never): Shares {
  return moves.reduce<Shares>(
    (shares, step) => {
      const parts = Math.max(1, ...[...shares.values()].map((quantities) => quantities.length));
      if (step.kind === "parts") return withParts(shares, step.parts);
      if (step.kind === "share") return shareEqually(shares, `line-${step.line}`);
      return assignToPart(shares, `line-${step.line}`, step.part % parts, step.quantity);
    },
    emptySplit(content, 3),
  );
}

/** Sums the quantities in thousandths by original line, voided and charged separately. */
function dishes(contents: readonly OrderContent[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of contents.flatMap((content) => content.lines ?? [])) {
    const key = `${line.splitOf ?? line.id} ${line.voided === true ? "void" : "counts"}`;
    sums.set(key, (sums.get(key) ?? 0) + Math.round(line.quantity * 1_000));
  }
  return sums;
}

const cents = (contents: readonly OrderContent[], of: "total" | "tax"): number =>
  contents.reduce((sum, { totals }) => sum + toCents(totals?.[of] ?? 0), 0);

describe("a split", () => {
  it("a split loses no dish and no cent, whatever each part gets [TOUCH-45]", () => {
    fc.assert(
      fc.property(lines, discount, steps, (drawn, off, moves) => {
        const content = check(drawn, off);
        const parts = splitChecks({ posReference: "A", content }, walk(content, moves), newId).map(
          (each) => each.content,
        );
        if (parts.length === 0) return;
        expect(dishes(parts)).toEqual(dishes([content]));
        expect([cents(parts, "total"), cents(parts, "tax")]).toEqual([
          cents([content], "total"),
          cents([content], "tax"),
        ]);
        for (const part of parts.slice(1)) expect(part.lines?.length).toBeGreaterThan(0);
      }),
    );
  });

  it("the parts of a split share a discount as it was granted, also where it is limited [TOUCH-45, PRICE-85]", () => {
    const content = check(
      [40, 20].map((total) => ({ quantity: 1, total, voided: false, seat: undefined })),
      0,
    );
    content.adjustments = [{ kind: "discount", amount: -60, granted: -90, reason: "cortesía" }];
    const shares: Shares = new Map([
      ["line-0", [1, 0]],
      ["line-1", [0, 1]],
    ]);
    const parts = splitChecks({ posReference: "A", content }, shares, newId);
    const shown = parts.map(({ content: { adjustments, totals } }) => [adjustments?.[0], totals?.total]);
    const shared = (granted: number, amount: number) => ({ kind: "discount", amount, granted, reason: "cortesía" });
    expect(shown).toEqual([
      [shared(-60, -40), 0],
      [shared(-30, -20), 0],
    ]);
  });

  it("a split distributes all of every line at every step [TOUCH-45]", () => {
    fc.assert(
      fc.property(lines, steps, (drawn, moves) => {
        const content = check(drawn, undefined);
        for (const [lineId, quantities] of walk(content, moves)) {
          const line = content.lines?.find(({ id }) => id === lineId);
          expect(Math.round(quantities.reduce((sum, each) => sum + each, 0) * 1_000)).toBe(
            Math.round((line?.quantity ?? 0) * 1_000),
          );
          expect(quantities.every((each) => each >= 0)).toBe(true);
        }
      }),
    );
  });

  it("each tap gives one more of a dish to a part, and the tap after the last returns all [TOUCH-45]", () => {
    const content = check([{ quantity: 3, total: 30, voided: false, seat: undefined }], undefined);
    const taps = [1, 1, 2, 1, 1].reduce<Shares[]>(
      (all, part) => [...all, assignToPart(all.at(-1) ?? new Map(), "line-0", part, 1)],
      [emptySplit(content, 3)],
    );
    expect(taps.map((shares) => shares.get("line-0"))).toEqual([
      [3, 0, 0],
      [2, 1, 0],
      [1, 2, 0],
      [0, 2, 1],
      [0, 3, 0],
      [3, 0, 0],
    ]);
  });

  it("a split leaves on the first check what was added or changed meanwhile [TOUCH-437]", () => {
    const [unchanged, raised, added] = [0, 1, 2].map((at) => ({
      id: `line-${at}`,
      productId: at,
      quantity: 2,
      unitPrice: 10,
    }));
    const before = { lines: [unchanged, raised] } as OrderContent;
    const shares = assignToPart(assignToPart(emptySplit(before, 2), "line-0", 1, 1), "line-1", 1, 1);
    const now = { lines: [unchanged, { ...raised, quantity: 3 }, added] } as OrderContent;
    expect([...fitShares(shares, now)]).toEqual([
      ["line-0", [1, 1]],
      ["line-1", [3, 0]],
      ["line-2", [2, 0]],
    ]);
    expect([...fitShares(shares, { lines: [unchanged] } as OrderContent)]).toEqual([["line-0", [1, 1]]]);
  });

  it("a split by seats needs no tap: each seat has its own dishes, and the rest is shared [TOUCH-45]", () => {
    const content = check(
      [
        { quantity: 1, total: 10, voided: false, seat: 3 },
        { quantity: 2, total: 20, voided: false, seat: 1 },
        { quantity: 1, total: 9.99, voided: false, seat: undefined },
      ],
      undefined,
    );
    const shares = splitBySeats(content);
    expect([...(shares ?? [])]).toEqual([
      ["line-0", [0, 1]],
      ["line-1", [2, 0]],
      ["line-2", [0.5, 0.5]],
    ]);
    const parts = splitChecks({ posReference: "A", content }, shares ?? new Map(), newId);
    expect(parts.map(({ content: { totals } }) => totals?.total)).toEqual([25, 14.99]);
    expect(splitBySeats(check([{ quantity: 1, total: 10, voided: false, seat: 2 }], undefined))).toBeNull();
  });

  it("equal parts add up to the amount due, to the cent [TOUCH-46]", () => {
    const snapshot = { totals: totalsOfLines([{ id: "a", quantity: 1, total: 100 }]) };
    expect(partsOfDue(snapshot, 3)).toEqual([33.34, 33.33, 33.33]);
  });
});
