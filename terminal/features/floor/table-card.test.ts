import type { BackOfficeFloor, KitchenTicket, Snapshot } from "@comanda/protocol";
import type { Booking, LocalOrder } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { sortByUrgency, isOfOtherWaiters, tableCards, tablesByNumber, type FloorState } from "./table-card.ts";

const floor: BackOfficeFloor = {
  id: 3,
  name: "Salón",
  layoutMode: "free",
  tables: [1, 2, 3, 11].map((number, index) => ({
    id: 28 + index,
    name: `Mesa ${number}`,
    seats: 4,
    x: 0,
    y: 0,
    width: 100,
    height: 100,
    shape: "square",
    state: "available",
  })),
};

function check(posReference: string, fields: Partial<Snapshot>): LocalOrder {
  const snapshot: Snapshot = {
    posReference,
    status: "sent",
    orderType: "dine_in",
    tableId: 28,
    guestCount: 2,
    createdAt: "2026-11-22T19:00:00Z",
    updatedAt: "2026-11-22T19:00:00Z",
    lines: [{ id: "a", quantity: 1, total: 100, sentQuantity: 1 }],
    totals: { subtotal: 100, tax: 0, total: 100 },
    ...fields,
  };
  const { tableId } = snapshot;
  return {
    posReference,
    version: 1,
    tableId,
    snapshot,
    pending: 0,
    isSendPending: false,
    isPaymentPending: false,
    paymentRefused: false,
    origin: null,
    forward: undefined,
  };
}

const booking = (tableId: number, phase: Booking["phase"]): Booking => ({
  version: 1,
  key: `b-${tableId}`,
  phase,
  order: null,
  reservation: {
    tableId,
    at: "2026-11-22T20:00:00Z",
    guestName: "Ana",
    status: "booked",
    leadMinutes: 45,
    graceMinutes: 20,
  },
});

const cardsOf = (state: Partial<FloorState>) =>
  tableCards(floor, {
    orders: [],
    tickets: [],
    bookings: [],
    presence: [],
    inUse: () => null,
    tables: [],
    me: "Wendy",
    ...state,
  });

describe("floor cards", () => {
  it("cards are sorted by urgency, and then by waiting time [TOUCH-50]", () => {
    const cards = cardsOf({
      orders: [
        check("A", { tableId: 28, createdAt: "2026-11-22T19:30:00Z" }),
        check("B", { tableId: 29 }),
        check("C", { tableId: 30, status: "checkout" }),
      ],
      bookings: [booking(31, "late")],
    });
    expect(sortByUrgency(cards).map(({ name, state }) => [name, state])).toEqual([
      ["Mesa 3", "bill"],
      ["Mesa 11", "late"],
      ["Mesa 2", "sent"],
      ["Mesa 1", "sent"],
    ]);
  });

  it("a card shows that everything sent is on paper, once it is [TOUCH-412]", () => {
    const onPaper = { id: "a", quantity: 1, sentQuantity: 1, kitchenItemStatus: "on_paper" };
    const cards = cardsOf({
      orders: [
        check("A", { tableId: 28, lines: [onPaper] }),
        check("B", { tableId: 29, lines: [onPaper, { id: "b", quantity: 1, sentQuantity: 1 }] }),
      ],
    });
    expect(cards.slice(0, 2).map(({ state }) => state)).toEqual(["onPaper", "sent"]);
  });

  it("a card counts ready dishes, not lines [TOUCH-485]", () => {
    const share = { posReference: "A", quantity: 2, cancelledQuantity: 0 };
    const ready = { state: "ready", shares: [{ ...share, lineId: "a", preparedQuantity: 2 }] };
    const started = { state: "started", shares: [{ ...share, lineId: "b", preparedQuantity: 1 }] };
    const ticket = { posReference: "A", lines: [ready, started, ready] } as unknown as KitchenTicket;
    const [card] = cardsOf({ orders: [check("A", { tableId: 28 })], tickets: [ticket] });
    expect(card).toMatchObject({ state: "ready", ready: 4 });
  });

  it("a card tells a held course from unsent lines [TOUCH-324]", () => {
    const waiting = { id: "b", quantity: 1, course: 2, hold: true };
    const sentAt = "2026-11-22T19:10:00Z";
    const lines = [{ id: "a", quantity: 1, sentQuantity: 1, kitchenSentAt: sentAt }, waiting];
    const [held, unsent] = cardsOf({
      orders: [
        check("A", { tableId: 28, lines }),
        check("B", { tableId: 29, lines: [...lines, { id: "c", quantity: 3 }, { id: "d", quantity: 0.355 }] }),
      ],
    });
    expect(held).toMatchObject({ state: "held", unsent: 0, held: { course: 2, since: sentAt } });
    expect(unsent).toMatchObject({ state: "unsent", unsent: 4, held: { course: 2 } });
  });

  it("a card shows the waiters, who locks the table, and the joined tables [TOUCH-50]", () => {
    const [first, second] = cardsOf({
      orders: [check("A", { tableId: 28, tableIds: [28, 29], staffName: "Wendy" })],
      presence: [
        { terminalId: "t-1", userName: "Ana", posReference: "A" },
        { terminalId: "t-2", userName: "Ana", tableId: 28 },
        { terminalId: "t-3", userName: "Luis", tableId: 31 },
      ],
      tables: [
        {
          tableId: 29,
          status: "occupied",
          posReference: "A",
          updatedAt: "2026-11-22T19:00:00Z",
          lock: { userName: "Luis", terminalId: "t-3", expiresAt: "2026-11-22T19:05:00Z" },
        },
      ],
    });
    expect(first).toMatchObject({ people: ["Ana"], lockedBy: null, joined: ["Mesa 2"], due: 100 });
    expect(second).toMatchObject({ people: ["Ana"], lockedBy: "Luis", joined: ["Mesa 1"], state: "sent" });
  });

  it("a card stays visible while the kitchen lacks a dish of a paid check [TOUCH-351]", () => {
    const [unsent, sent] = [
      { id: "a", quantity: 1 },
      { id: "a", quantity: 1, sentQuantity: 1 },
    ];
    const [first, second] = cardsOf({
      orders: [
        check("A", { tableId: 28, status: "paid", lines: [{ ...unsent, hold: true }] }),
        check("B", { tableId: 29, status: "closed", lines: [sent] }),
      ],
    });
    expect(first).toMatchObject({ state: "unsent", unsent: 1, checks: [] });
    expect(second).toMatchObject({ state: "free", unsent: 0 });
  });

  it("a card is free if the unsent dishes of a paid check were refunded, and otherwise stays [TOUCH-351]", () => {
    const lines = [
      { id: "a", quantity: 1 },
      { id: "b", quantity: 2 },
    ];
    const refund = { refundId: "r", amount: 100, reason: null, refund: [], at: "2026-11-22T20:00:00Z" };
    const gaveBack = (refundLines: { lineId: string; quantity: number }[]) => ({
      status: "closed" as const,
      lines,
      refunds: [{ ...refund, state: "made" as const, by: "Carla", terminalId: "caja", lines: refundLines }],
    });
    const cards = cardsOf({
      orders: [
        check("A", { tableId: 28, ...gaveBack([]) }),
        check("B", { tableId: 29, ...gaveBack([{ lineId: "b", quantity: 2 }]) }),
      ],
    });
    expect(cards.slice(0, 2)).toMatchObject([
      { state: "free", unsent: 0 },
      { state: "unsent", unsent: 1 },
    ]);
  });

  it("lines count as unsent on a card until the hub has the send [TOUCH-353]", () => {
    const [first, second] = cardsOf({
      orders: [{ ...check("A", { tableId: 28 }), pending: 1, isSendPending: true }, check("B", { tableId: 29 })],
    });
    expect([first?.state, second?.state]).toEqual(["toSend", "sent"]);
  });

  it("a card shows who has a check in use, and whether something waits for them [TOUCH-300]", () => {
    const holder = { terminalId: "t-1", userName: "Ana", role: "editor", expiresAt: "2026-11-22T20:01:00Z" } as const;
    const [first, second] = cardsOf({
      orders: [check("A", {}), { ...check("B", {}), pending: 1 }, check("C", { tableId: 29 })],
      inUse: (posReference) => (posReference === "C" ? null : holder),
    });
    expect(first).toMatchObject({ usedBy: "Ana", isWaiting: true });
    expect(second).toMatchObject({ usedBy: null, isWaiting: false });
  });

  it("a card tells own tables from others' tables, and free ones belong to everybody [TOUCH-390]", () => {
    const cards = cardsOf({
      orders: [
        check("A", { tableId: 28, staffName: "Ana" }),
        check("B", { tableId: 28, staffName: "Wendy" }),
        check("C", { tableId: 29, staffName: "Ana" }),
        check("D", { tableId: 30, staffName: null }),
      ],
    });
    expect(cards.map(({ staff, isMine }) => [staff, isMine])).toEqual([
      [["Ana", "Wendy"], true],
      [["Ana"], false],
      [[], false],
      [[], false],
    ]);
    expect(cards.filter(isOfOtherWaiters).map(({ name }) => name)).toEqual(["Mesa 2"]);
  });

  it("a card counts the guests of a split check once [TOUCH-392]", () => {
    const [card] = cardsOf({ orders: [check("A", { guestCount: 4 }), check("B", { guestCount: 4 })] });
    expect(card?.guests).toBe(4);
  });

  it("a card counts the time since the party sat down, on whatever check that is stored [TOUCH-391]", () => {
    const [card] = cardsOf({
      orders: [check("A", { createdAt: "2026-11-22T19:40:00Z", seatedAt: "2026-11-22T18:50:00Z" }), check("B", {})],
    });
    expect(card?.since).toBe("2026-11-22T18:50:00Z");
  });

  it("cards are found by a typed number, the exact one first [TOUCH-50]", () => {
    const names = (typed: string) => tablesByNumber(cardsOf({}).toReversed(), typed).map(({ name }) => name);
    expect([names("1"), names("11"), names("9"), names("")]).toEqual([["Mesa 1", "Mesa 11"], ["Mesa 11"], [], []]);
  });
});
