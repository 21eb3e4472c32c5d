import type { StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passOnSentLines } from "./pass-on-sent-lines.ts";

function line(id: string, quantity: number, sentQuantity = 0, preparedQuantity = 0): StoredLine {
  const kitchen = { kitchenSentAt: "2026-11-21T20:00:00.000Z", sentQuantity, preparedQuantity };
  return { id, quantity, ...(sentQuantity > 0 ? kitchen : {}) };
}

describe("passOnSentLines", () => {
  it("[ORDER-22] hands a line over with what the kitchen has of it", () => {
    const beer = line("beer", 2, 2, 1);
    const [first, second] = passOnSentLines([
      { stored: [line("soup", 1, 1), beer], given: [line("soup", 1)] },
      { stored: [], given: [line("beer", 2)] },
    ]);
    expect([first, second]).toEqual([[line("soup", 1, 1)], [beer]]);
  });

  it("[ORDER-22] shares a line out by quantity, its own order first", () => {
    const [first, second] = passOnSentLines([
      { stored: [line("beer", 4, 4, 3)], given: [line("beer", 1)] },
      { stored: [], given: [line("beer", 3)] },
    ]);
    expect(first).toMatchObject([{ sentQuantity: 1, preparedQuantity: 1 }]);
    expect(second).toMatchObject([{ sentQuantity: 3, preparedQuantity: 2 }]);
  });

  it("[ORDER-23] leaves with its order what the batch leaves out, for the guard to refuse", () => {
    const soup = line("soup", 1, 1);
    expect(
      passOnSentLines([
        { stored: [soup], given: [] },
        { stored: [], given: [] },
      ]),
    ).toEqual([[soup], []]);
  });

  it("[ORDER-22] never makes or loses what the kitchen has", () => {
    const quantities = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), quantities, (sent, prepared, wanted) => {
        const stored = [line("beer", sent, sent, Math.min(prepared, sent))];
        const orders = wanted.map((quantity, index) => ({
          stored: index === 0 ? stored : [],
          given: [line("beer", quantity)],
        }));
        const held = passOnSentLines(orders).flat();
        expect(held.reduce((sum, each) => sum + (each.sentQuantity ?? 0), 0)).toBe(sent);
        expect(held.reduce((sum, each) => sum + (each.preparedQuantity ?? 0), 0)).toBe(Math.min(prepared, sent));
      }),
    );
  });
});
