import { expect, it } from "vitest";
import { hasUnseenCancel, isUnseen, ticketTone } from "./ticket-tone.ts";

const now = Date.parse("2026-11-21T20:00:00.000Z");
const sent = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
type TonedTicket = Parameters<typeof ticketTone>[0];
const ticket = (state: TonedTicket["state"], minutes: number, fields: Partial<TonedTicket> = {}): TonedTicket => ({
  state,
  late: false,
  sentAt: sent(minutes),
  isOver: false,
  lines: [],
  ...fields,
});
const cancelled = (isSeen: boolean): TonedTicket["lines"] => [
  {
    lineId: "l1",
    productId: "101",
    name: "Tostones",
    quantity: 2,
    preparedQuantity: 0,
    cancelledQuantity: 1,
    state: isSeen ? "seen" : "unseen",
    isSeen,
    note: null,
    specialRequest: null,
    allergy: null,
    posReferences: ["A/1"],
  },
];

it("a ticket on paper does not stand out, however old it is [PRINT-124]", () => {
  expect(ticketTone(ticket("unseen", 60, { onPaper: true, isOver: true, late: true }), now)).toBe("idle");
});

it("unseen and late tickets stand out [UI-16]", () => {
  expect(ticketTone(ticket("unseen", 0.5), now)).toBe("idle");
  expect(ticketTone(ticket("unseen", 2), now)).toBe("warn");
  expect(ticketTone(ticket("unseen", 4), now)).toBe("bad");
  expect(ticketTone(ticket("seen", 1, { late: true }), now)).toBe("warn");
  expect(ticketTone(ticket("started", 21), now)).toBe("warn");
  expect(ticketTone(ticket("seen", 5), now)).toBe("accent");
  expect(ticketTone(ticket("ready", 60, { late: true }), now)).toBe("good");
});

it("unseen tickets are counted as on the Service screen, without cancellations [UI-539]", () => {
  expect(isUnseen(ticket("unseen", 1))).toBe(true);
  expect(isUnseen(ticket("unseen", 1, { onPaper: true, isOver: true }))).toBe(false);
  expect(isUnseen(ticket("seen", 5, { lines: cancelled(false) }))).toBe(false);
  expect(isUnseen(ticket("cancelled", 5, { lines: cancelled(false) }))).toBe(false);
});

it("a cancelled part stands out until its station has marked it as seen [UI-172]", () => {
  const part = ticket("seen", 5, { lines: cancelled(false) });
  expect(hasUnseenCancel(part)).toBe(true);
  expect(ticketTone(part, now)).toBe("warn");
  expect(ticketTone(ticket("seen", 5, { lines: cancelled(true) }), now)).toBe("accent");
  expect(ticketTone(ticket("cancelled", 5, { lines: cancelled(false) }), now)).toBe("warn");
  expect(ticketTone(ticket("cancelled", 5, { isOver: true, lines: cancelled(false) }), now)).toBe("idle");
  // A part that was cancelled makes a ticket that nobody has seen no less urgent.
  expect(ticketTone(ticket("unseen", 4, { lines: cancelled(false) }), now)).toBe("bad");
});
