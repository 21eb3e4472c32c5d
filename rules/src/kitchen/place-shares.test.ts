import type { KitchenTicket, StoredLine, TerminalLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDishes, type CheckLines } from "./find-dishes.ts";
import { placeShares, type KitchenRights } from "./place-shares.ts";
import { sum } from "../money/amounts.ts";
import { partsByLine } from "./shares.ts";

const noRights: KitchenRights = { mayVoid: false, mayTakeBack: () => false };

/** Returns a ticket with one line per stored line that was sent. */
function ticketOf(checks: readonly CheckLines[]): KitchenTicket {
  const sentLines = checks.flatMap(({ posReference, stored }) =>
    stored.flatMap((line) => ((line.sentQuantity ?? 0) > 0 ? [{ posReference, line }] : [])),
  );
  return {
    id: "ticket",
    posReference: "0",
    stationId: null,
    stationName: null,
    orderType: "takeout",
    tableId: null,
    checkNumber: null,
    ticketNumber: null,
    customerName: null,
    sentAt: "2026-11-21T20:00:00.000Z",
    sentBy: "Ana",
    terminalId: "tablet",
    seen: [],
    serving: false,
    readyAt: null,
    isOver: false,
    lines: sentLines.map(({ posReference, line }) => {
      const amounts = {
        quantity: line.sentQuantity ?? 0,
        preparedQuantity: line.preparedQuantity ?? 0,
        cancelledQuantity: 0,
      };
      return {
        lineId: line.id,
        productId: null,
        name: line.id,
        ...amounts,
        state: "unseen",
        kitchenLineId: line.kitchenLineId ?? line.id,
        isSeen: false,
        isServed: false,
        shares: [{ posReference, lineId: line.id, ...amounts }],
      };
    }),
  };
}

function line(id: string, quantity: number, sentQuantity = 0, preparedQuantity = 0): StoredLine {
  return { id, quantity, ...(sentQuantity > 0 ? { kitchenLineId: id, sentQuantity, preparedQuantity } : {}) };
}

let made = 0;

/** Returns what each check holds after a batch: sent and prepared by line. Checks are named 0, 1, 2. */
function placed(lines: readonly Pick<CheckLines, "stored" | "requested">[]) {
  const checks = lines.map((each, index) => ({ posReference: String(index), ...each }));
  const ticket = ticketOf(checks);
  const dishes = findDishes(
    checks,
    (_, { kitchenLineId }) => kitchenLineId,
    () => `new-${(made += 1)}`,
  );
  const refusals = placeShares([ticket], checks, dishes, noRights);
  const parts = [...partsByLine([ticket]).values()];
  const held = checks.map(({ posReference }): Record<string, [number, number]> =>
    Object.fromEntries(
      parts
        .filter(([part]) => part?.share.posReference === posReference)
        .map((own) => [
          own[0]?.share.lineId ?? "",
          [sum(own.map(({ share }) => share.quantity)), sum(own.map(({ share }) => share.preparedQuantity))],
        ]),
    ),
  );
  return { held, refused: [...refusals.keys()] };
}

const requested = (id: string, quantity: number, more: Partial<TerminalLine> = {}): TerminalLine => ({
  id,
  quantity,
  ...more,
});

describe("shares of a batch", () => {
  it("shares move with their line [ORDER-22]", () => {
    const stored = [line("soup", 1, 1), line("beer", 2, 2, 1)];
    const { held, refused } = placed([
      { stored, requested: [requested("soup", 1)] },
      { stored: [], requested: [requested("beer", 2)] },
    ]);
    expect(held).toEqual([{ soup: [1, 0] }, { beer: [2, 1] }]);
    expect(refused).toEqual([]);
  });

  it("shares are split by quantity: first the line's own, and prepared ones first [ORDER-22]", () => {
    const { held } = placed([
      { stored: [line("beer", 4, 4, 3)], requested: [requested("beer", 1)] },
      { stored: [], requested: [requested("beer", 3)] },
    ]);
    expect(held).toEqual([{ beer: [1, 1] }, { beer: [3, 2] }]);
  });

  it("shares that no line requests stay where they were, and the removal is refused [ORDER-23]", () => {
    const { held, refused } = placed([
      { stored: [line("soup", 2, 2)], requested: [] },
      { stored: [], requested: [requested("soup", 1)] },
    ]);
    expect(held).toEqual([{ soup: [1, 0] }, { soup: [1, 0] }]);
    expect(refused).toEqual(["0"]);
  });

  it("all shares of a void line move with it, even beyond its quantity [ORDER-22]", () => {
    const { held, refused } = placed([
      { stored: [{ ...line("soup", 0, 2), voided: true }], requested: [] },
      { stored: [], requested: [requested("soup", 0, { voided: true })] },
    ]);
    expect(held).toEqual([{}, { soup: [2, 0] }]);
    expect(refused).toEqual([]);
  });

  it("shares beyond a line's quantity stay with it when its void is undone, and move with it [ORDER-22]", () => {
    const lowered = { ...line("soup", 1, 2), voided: true };
    const unvoided = placed([{ stored: [lowered], requested: [requested("soup", 1)] }]);
    expect(unvoided).toEqual({ held: [{ soup: [2, 0] }], refused: [] });
    const edited = placed([{ stored: [line("soup", 1, 2)], requested: [requested("soup", 1, { note: "hot" })] }]);
    expect(edited).toEqual({ held: [{ soup: [2, 0] }], refused: [] });
    const moved = placed([
      { stored: [line("soup", 1, 2)], requested: [] },
      { stored: [], requested: [requested("soup", 1)] },
    ]);
    expect(moved).toEqual({ held: [{}, { soup: [2, 0] }], refused: [] });
    // It cannot be lowered any further.
    expect(placed([{ stored: [line("soup", 1, 2)], requested: [requested("soup", 0)] }]).refused).toEqual(["0"]);
  });

  it("shares of two dishes with the same line id stay apart [ORDER-22]", () => {
    const other = { ...line("beer", 1, 1), kitchenLineId: "another" };
    const { held, refused } = placed([
      { stored: [line("beer", 2, 2)], requested: [] },
      { stored: [other], requested: [requested("beer", 3)] },
    ]);
    expect(held).toEqual([{ beer: [2, 0] }, { beer: [1, 0] }]);
    expect(refused).toEqual(["0"]);
  });

  it("shares follow splitOf within a check, from the named check, and from the only check that has the line [KIT-6]", () => {
    const stored = [line("beer", 6, 6)];
    const { held, refused } = placed([
      { stored, requested: [requested("beer", 1), requested("b", 2, { splitOf: "beer" })] },
      { stored: [line("beer", 1)], requested: [requested("c", 2, { splitOf: "beer", splitFrom: "0" })] },
      { stored: [], requested: [requested("d", 1, { splitOf: "beer" })] },
    ]);
    expect(held).toEqual([{ beer: [1, 0], b: [2, 0] }, { c: [2, 0] }, { d: [1, 0] }]);
    expect(refused).toEqual([]);
  });

  it("shares follow splitOf of a line that still names a former check as its origin [KIT-6]", () => {
    const { held, refused } = placed([
      { stored: [line("beer", 2, 2)], requested: [requested("beer", 1)] },
      { stored: [], requested: [requested("b", 1, { splitOf: "beer", splitFrom: "gone" })] },
    ]);
    expect(held).toEqual([{ beer: [1, 0] }, { b: [1, 0] }]);
    expect(refused).toEqual([]);
  });

  it("placing shares conserves sent and prepared quantities [ORDER-22]", () => {
    const quantities = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), quantities, (sent, prepared, parts) => {
        const stored = [line("beer", sent, sent, Math.min(prepared, sent))];
        const { held, refused } = placed(
          parts.map((quantity, index) => ({
            stored: index === 0 ? stored : [],
            requested: quantity === 0 ? [] : [requested("beer", quantity)],
          })),
        );
        const shares = held.flatMap((each) => Object.values(each));
        expect(sum(shares.map(([quantity]) => quantity))).toBe(sent);
        expect(sum(shares.map(([, ready]) => ready))).toBe(Math.min(prepared, sent));
        expect(refused.length > 0).toBe(sum(parts) < sent);
      }),
    );
  });

  it("placing shares reads each line a few times, however many lines there are [ORDER-67]", () => {
    const lookedUp = (orders: number, lines: number): number => {
      let reads = 0;
      const counted = (each: StoredLine): StoredLine =>
        Object.defineProperty({ ...each }, "id", { get: () => ((reads += 1), each.id), enumerable: true });
      // Every check passes its lines to the next one.
      const linesOf = (order: number): StoredLine[] =>
        Array.from({ length: lines }, (_, n) => counted(line(`${order % orders}/${n}`, 2, 2)));
      const batch = Array.from({ length: orders }, (_, order) => ({
        stored: linesOf(order),
        requested: linesOf(order + 1),
      }));
      expect(placed(batch).refused).toEqual([]);
      return reads;
    };
    expect(lookedUp(10, 40)).toBeLessThanOrEqual(2.2 * lookedUp(10, 20));
    expect(lookedUp(20, 20)).toBeLessThanOrEqual(2.2 * lookedUp(10, 20));
  });
});
