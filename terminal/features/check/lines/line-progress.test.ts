import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { progressOf } from "./line-progress.ts";

function ticket(
  id: string,
  sentAt: string,
  lines: (Pick<TicketLine, "lineId" | "state"> & { of?: string; quantity?: number })[],
): KitchenTicket {
  return {
    id,
    posReference: "A",
    stationId: null,
    stationName: null,
    orderType: "dine_in",
    tableId: 5,
    checkNumber: 1,
    ticketNumber: null,
    customerName: null,
    sentAt,
    sentBy: "Ana",
    terminalId: "t",
    seen: [],
    serving: true,
    readyAt: null,
    isOver: false,
    lines: lines.map(({ lineId, state, of = "A", quantity = 1 }) => ({
      lineId,
      productId: "101",
      name: "Sancocho",
      quantity,
      preparedQuantity: 0,
      cancelledQuantity: 0,
      state,
      kitchenLineId: `${id}-${lineId}`,
      isSeen: false,
      isServed: state === "served",
      shares: [{ posReference: of, lineId, quantity, preparedQuantity: 0, cancelledQuantity: 0 }],
    })),
  };
}

describe("the kitchen's progress on a check", () => {
  it("a line shows the progress of its tickets, and the less advanced of two [TOUCH-52]", () => {
    const progress = progressOf("A", [
      ticket("1", "2026-11-22T19:00:00Z", [
        { lineId: "a", state: "ready", quantity: 2 },
        { lineId: "b", state: "served" },
        { lineId: "c", state: "cancelled" },
        { lineId: "d", state: "started", of: "B" },
      ]),
      ticket("2", "2026-11-22T19:20:00Z", [{ lineId: "a", state: "unseen" }]),
    ]);
    expect(Object.fromEntries(progress)).toEqual({
      a: {
        state: "sent",
        since: "2026-11-22T19:00:00Z",
        ready: [{ kitchenTicketId: "1", lineId: "a", heldBy: "A", quantity: 2 }],
      },
      b: { state: "served", since: null, ready: [] },
    });
  });
});
