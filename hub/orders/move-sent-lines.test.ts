import type { StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveSentLines } from "./move-sent-lines.ts";

function line(id: string, quantity: number, sentQuantity = 0, preparedQuantity = 0): StoredLine {
  const kitchen = { kitchenSentAt: "2026-11-21T20:00:00.000Z", sentQuantity, preparedQuantity };
  return { id, quantity, ...(sentQuantity > 0 ? kitchen : {}) };
}

describe("moveSentLines", () => {
  it("[ORDER-22] moves a line with what the kitchen has of it", () => {
    const beer = line("beer", 2, 2, 1);
    const [first, second] = moveSentLines([
      { stored: [line("soup", 1, 1), beer], requested: [line("soup", 1)] },
      { stored: [], requested: [line("beer", 2)] },
    ]);
    expect([first, second]).toEqual([[line("soup", 1, 1)], [beer]]);
  });

  it("[ORDER-22] splits a line by quantity, its own order first", () => {
    const [first, second] = moveSentLines([
      { stored: [line("beer", 4, 4, 3)], requested: [line("beer", 1)] },
      { stored: [], requested: [line("beer", 3)] },
    ]);
    expect(first).toMatchObject([{ sentQuantity: 1, preparedQuantity: 1 }]);
    expect(second).toMatchObject([{ sentQuantity: 3, preparedQuantity: 2 }]);
  });

  it("[ORDER-23] leaves with its order what the batch leaves out, for the guard to refuse", () => {
    const soup = line("soup", 1, 1);
    expect(
      moveSentLines([
        { stored: [soup], requested: [] },
        { stored: [], requested: [] },
      ]),
    ).toEqual([[soup], []]);
  });

  it("[ORDER-67] reads each line of a batch a few times, however many there are", () => {
    const lookedUp = (orders: number, lines: number): number => {
      let reads = 0;
      const counted = (each: StoredLine): StoredLine =>
        Object.defineProperty({ ...each }, "id", { get: () => ((reads += 1), each.id), enumerable: true });
      // Every check gives its lines away to the next one.
      const linesOf = (order: number): StoredLine[] =>
        Array.from({ length: lines }, (_, n) => counted(line(`${order % orders}/${n}`, 2, 2)));
      const batch = Array.from({ length: orders }, (_, order) => ({
        stored: linesOf(order),
        requested: linesOf(order + 1),
      }));
      expect(moveSentLines(batch).flat()).toHaveLength(orders * lines);
      return reads;
    };
    expect(lookedUp(10, 40)).toBeLessThanOrEqual(2.2 * lookedUp(10, 20));
    expect(lookedUp(20, 20)).toBeLessThanOrEqual(2.2 * lookedUp(10, 20));
  });

  it("[ORDER-22] neither adds to nor loses what the kitchen has", () => {
    const quantities = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), quantities, (sent, prepared, wanted) => {
        const stored = [line("beer", sent, sent, Math.min(prepared, sent))];
        const orders = wanted.map((quantity, index) => ({
          stored: index === 0 ? stored : [],
          requested: [line("beer", quantity)],
        }));
        const held = moveSentLines(orders).flat();
        expect(held.reduce((sum, each) => sum + (each.sentQuantity ?? 0), 0)).toBe(sent);
        expect(held.reduce((sum, each) => sum + (each.preparedQuantity ?? 0), 0)).toBe(Math.min(prepared, sent));
      }),
    );
  });
});
