import type { KitchenTicket } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { content, entry, itemState, line, share, storedOrder, ticket, ticketLine } from "../../../test/builders.ts";
import { localStateOn } from "../../../test/local-state.ts";
import type { Intent, OutboxEntry } from "../../outbox/entries/outbox-entry.ts";
import { replayItemStates } from "./replay-item-states.ts";

const grill = ticket("grill", {
  lines: [
    ticketLine("soup", [share("A", "soup", 2), share("B", "part", 1)]),
    ticketLine("beer", [share("A", "beer", 1)]),
  ],
});
const later = ticket("later", {
  sentAt: "2026-11-21T20:05:00.000Z",
  lines: [ticketLine("soup", [share("A", "soup", 3)])],
});

const orders = [
  storedOrder("A", 1, content([line("soup", { quantity: 5 }), line("beer")])),
  storedOrder("B", 1, content([line("part")])),
];

function shownTickets(tickets: KitchenTicket[], entries: OutboxEntry[]): KitchenTicket[] {
  return localStateOn({ orders, tickets }, entries).local.tickets();
}

/** Returns state and prepared quantity of every line, and whether the ticket is finished. */
function after(intents: Intent[], tickets = [grill]) {
  return shownTickets(
    tickets,
    intents.map((intent) => entry(intent)),
  ).map(({ lines, isOver }) => ({ lines: lines.map((line) => `${line.preparedQuantity} ${line.state}`), isOver }));
}

describe("local tickets", () => {
  const seen = { type: "KITCHEN_SEEN", kitchenTicketId: "grill", stationId: "grill" } as const;
  const bump = (lineId: string, preparedQuantity: number) =>
    ({ type: "KITCHEN_BUMP", kitchenTicketId: "grill", lineId, preparedQuantity }) as const;
  const served = { type: "KITCHEN_SERVED", kitchenTicketId: "grill" } as const;

  it("tickets show this device's seen, prepared and served marks at once, and a recall [CLIENT-119]", () => {
    expect(after([seen])).toEqual([{ lines: ["0 seen", "0 seen"], isOver: false }]);
    expect(after([seen, bump("soup", 1)])).toEqual([{ lines: ["1 started", "0 seen"], isOver: false }]);
    expect(after([bump("soup", 3), bump("beer", 1)])).toEqual([{ lines: ["3 ready", "1 ready"], isOver: true }]);
    expect(after([bump("soup", 3), bump("beer", 1), bump("beer", 0)])).toMatchObject([{ isOver: false }]);
    expect(after([bump("soup", 3), served])).toMatchObject([{ lines: ["3 served", "0 unseen"] }]);
  });

  it("a ticket of a serving station stays until it is served [CLIENT-119]", () => {
    const pass = [{ ...grill, serving: true }];
    const ready = [bump("soup", 3), bump("beer", 1)];
    expect(after(ready, pass)).toMatchObject([{ isOver: false }]);
    expect(after([...ready, served], pass)).toMatchObject([{ isOver: true }]);
  });

  it("a bump prepares the oldest share first, under a ticket and under the check that holds the line [CLIENT-119]", () => {
    const [prepared] = shownTickets([grill], [entry(bump("part", 3))]);
    expect(prepared?.lines[0]?.shares.map((each) => each.preparedQuantity)).toEqual([2, 1]);
    const checkBump = { type: "KITCHEN_BUMP", posReference: "A", lineId: "soup", preparedQuantity: 3 } as const;
    const shown = shownTickets([later, grill], [entry(checkBump)]);
    expect(shown.map(({ id, lines }) => [id, lines[0]?.shares.map((each) => each.preparedQuantity)])).toEqual([
      ["later", [1]],
      ["grill", [2, 0]],
    ]);
  });

  it("a status text marks a dish as started, and dishes taken back are not prepared [CLIENT-119]", () => {
    expect(after([{ ...bump("soup", 0), kitchenItemStatus: "started" }])).toMatchObject([
      { lines: ["0 started", "0 unseen"] },
    ]);
    const takenBack = { ...share("A", "soup", 2), cancelledQuantity: 2, takenBack: true as const };
    const lines = [ticketLine("soup", [takenBack, share("B", "part", 1)], { cancelledQuantity: 2 })];
    const [shown] = shownTickets([ticket("grill", { lines })], [entry(bump("part", 1))]);
    expect(shown?.lines[0]?.shares.map((each) => each.preparedQuantity)).toEqual([0, 1]);
    expect(shown).toMatchObject({ isOver: false, lines: [{ state: "ready" }] });
  });

  it("a bump makes a cancelled dish ready after all, as on the hub [RULE-21]", () => {
    const half = { ...share("A", "soup", 2), cancelledQuantity: 1 };
    const [shown] = shownTickets([ticket("grill", { lines: [ticketLine("soup", [half])] })], [entry(bump("soup", 2))]);
    expect(shown?.lines[0]).toMatchObject({ preparedQuantity: 2, cancelledQuantity: 0, state: "ready" });
  });

  it("refused mutations are left out, and a cancelled line stays until it is seen [CLIENT-119]", () => {
    const refusal = { errorCode: "NOT_FOUND", error: "", collisions: [], at: "" } as const;
    expect(shownTickets([grill], [entry(seen, { refusal: { ...refusal, collisions: [] } })])).toEqual([grill]);
    const none = { ...share("A", "soup", 1), cancelledQuantity: 1 };
    const cancelled = ticketLine("soup", [none], { cancelledQuantity: 1, state: "cancelled" });
    expect(after([seen], [{ ...grill, lines: [cancelled] }])).toEqual([{ lines: ["0 cancelled"], isOver: true }]);
    expect(
      after([bump("beer", 0)], [{ ...grill, lines: [cancelled, ticketLine("beer", [share("A", "beer", 1)])] }]),
    ).toEqual([{ lines: ["0 cancelled", "0 unseen"], isOver: false }]);
  });
});

describe("replayItemStates", () => {
  it("item states show what this device has set at once, and no expired ones [CLIENT-120]", () => {
    const now = Date.parse("2026-11-21T21:00:00.000Z");
    const states = [itemState(7), itemState(8, { until: "2026-11-21T20:59:00.000Z" }), itemState(9)];
    const set = entry({ type: "ITEM_STATE_SET", productId: "9", state: "limited", left: 3 });
    const back = entry({ type: "ITEM_STATE_SET", productId: 7, state: "available" });
    const shown = replayItemStates(states, [set, back], now, () => []);
    expect(shown).toMatchObject([{ productId: "9", state: "limited", left: 3 }]);
  });

  it("unsent sends are deducted from the count that this device has set, once [CLIENT-556]", () => {
    const beer = (quantity: number, sentQuantity?: number) =>
      line("beer", { productId: 7, quantity, ...(sentQuantity !== undefined && { sentQuantity }) });
    const send = (posReference: string) => entry({ type: "ORDER_SEND", posReference });
    const hub = { orders: [storedOrder("A", 2, content([beer(2)])), storedOrder("B", 1, content([beer(1)]))] };
    const limited = itemState(7, { state: "limited", left: 4 });
    const shown = (entries: OutboxEntry[], on = hub) =>
      replayItemStates([limited], entries, 0, localStateOn(on, entries).local.ticketsOfSend).map(({ left }) => left);
    expect(shown([send("A")])).toEqual([2]);
    expect(shown([send("A"), send("A"), send("B")])).toEqual([1]);
    const five = entry({ type: "ITEM_STATE_SET", productId: 7, state: "limited", left: 5 });
    expect(shown([send("A"), five, send("B")])).toEqual([4]);
    const refusal = { errorCode: "ITEM_OUT", error: "", collisions: [], at: "" } as const;
    expect(shown([{ ...send("A"), refusal: { ...refusal, collisions: [] } }])).toEqual([4]);
  });
});
