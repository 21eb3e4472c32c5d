import type { KitchenTicket, StoredLine, TicketLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { testMenu } from "../../../test/test-menu.ts";
import { lastRound, lineAgain } from "./same-round.ts";

const beer: StoredLine = { id: "beer", productId: 102, quantity: 3 };
const fish: StoredLine = { id: "fish", productId: 101, quantity: 1 };

function ticket(sentAt: string, shares: Partial<TicketLine["shares"][number]>[]): KitchenTicket {
  const lines = shares.map((share): TicketLine => ({
    lineId: share.lineId ?? "",
    productId: 1,
    name: "",
    quantity: 1,
    preparedQuantity: 0,
    cancelledQuantity: 0,
    state: "unseen",
    kitchenLineId: share.lineId ?? "",
    isSeen: false,
    isServed: false,
    shares: [{ posReference: "A", lineId: "", quantity: 1, preparedQuantity: 0, cancelledQuantity: 0, ...share }],
  }));
  return { sentAt, lines } as KitchenTicket;
}

it("a dish is ordered again as it was, at the menu's prices [TOUCH-17]", () => {
  const milk = { id: 9, name: "Con leche", price: 15, quantity: 2 };
  const line: StoredLine = { id: "a", productId: "103", quantity: 1, unitPrice: 70, modifiers: [milk], note: "Tibio" };
  const original = { ...line, specialRequest: "En taza", course: 2, discount: { percent: 50 } };
  const again = lineAgain({ line: original, quantity: 1 }, testMenu(), { orderType: "takeout" }, []);
  expect(again).toMatchObject({ note: "Tibio", specialRequest: "En taza", unitPrice: 80, total: 141.6 });
  expect(again?.["modifiers"]).toEqual([{ ...milk, price: 20 }]);
  expect(again).not.toHaveProperty("course");
  expect(again).not.toHaveProperty("discount");
});

it("a dish ordered again keeps what another system has written among its modifiers [TOUCH-17]", () => {
  const milk = { id: 9, name: "Con leche", price: 20 };
  const line: StoredLine = {
    id: "a",
    productId: "103",
    quantity: 1,
    modifiers: ["Descafeinado", milk, { name: "Tibio" }],
  };
  const again = lineAgain({ line, quantity: 1 }, testMenu(), { orderType: "takeout" }, []);
  expect(again?.["modifiers"]).toEqual([milk, "Descafeinado", { name: "Tibio" }]);
  expect(again).toMatchObject({ total: 118 });
});

describe("the last round", () => {
  const check = { posReference: "A", lines: [beer, fish] };

  it("the last round is what the last send brought to all stations, whatever the lines are now [TOUCH-17]", () => {
    const tickets = [
      ticket("2026-11-22T20:00:00.000Z", [{ lineId: "beer", quantity: 2 }]),
      ticket("2026-11-22T20:30:00.000Z", [{ lineId: "beer", quantity: 1 }]),
      ticket("2026-11-22T20:30:00.000Z", [{ lineId: "fish" }, { lineId: "soup", posReference: "B" }]),
    ];
    expect(lastRound(check, tickets)).toEqual([
      { line: beer, quantity: 1 },
      { line: fish, quantity: 1 },
    ]);
    expect(lastRound(check, [])).toEqual([]);
  });

  it("a split fraction of a dish is a whole dish in the last round, a weight stays [TOUCH-17]", () => {
    const halves = ticket("2026-11-22T20:30:00.000Z", []);
    const [half] = ticket("2026-11-22T20:30:00.000Z", [{ lineId: "beer", quantity: 0.5 }]).lines;
    const [byWeight] = ticket("2026-11-22T20:30:00.000Z", [{ lineId: "fish", quantity: 0.4 }]).lines;
    if (half === undefined || byWeight === undefined) throw new Error("no lines");
    const other = { posReference: "B", lineId: "beer", quantity: 0.5, preparedQuantity: 0, cancelledQuantity: 0 };
    const lines = [{ ...half, shares: [...half.shares, other] }, byWeight];
    expect(lastRound(check, [{ ...halves, lines }])).toEqual([
      { line: beer, quantity: 1 },
      { line: fish, quantity: 0.4 },
    ]);
  });

  it("the last round leaves out what was taken back, cancelled, voided or moved away [TOUCH-17]", () => {
    const shares = [{ lineId: "beer", quantity: 3, cancelledQuantity: 1 }, { lineId: "fish" }, { lineId: "gone" }];
    const lines = [beer, { ...fish, voided: true }];
    expect(lastRound({ ...check, lines }, [ticket("2026-11-22T20:30:00.000Z", shares)])).toEqual([
      { line: beer, quantity: 2 },
    ]);
    const later = ticket("2026-11-22T20:40:00.000Z", [{ lineId: "fish", takenBack: true }]);
    const before = ticket("2026-11-22T20:30:00.000Z", [{ lineId: "beer" }]);
    expect(lastRound(check, [before, later])).toEqual([{ line: beer, quantity: 1 }]);
  });
});
