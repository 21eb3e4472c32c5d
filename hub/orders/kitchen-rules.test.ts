import type { Snapshot, StoredLine } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bumpLine, seeTicket, sendToKitchen } from "./kitchen-rules.ts";
import { guardSentLines, missingQuantity, statusOf, totalsOf, withKitchenFields } from "./line-rules.ts";

const order = (lines: StoredLine[]): Snapshot => ({
  posReference: "A",
  status: "open",
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lines,
  totals: totalsOf(lines),
});

let tickets = 0;
function send(snapshot: Snapshot, lineIds?: string[]): Snapshot | null {
  tickets += 1;
  const ticketId = `ticket-${tickets}`;
  return sendToKitchen(snapshot, {
    ticketId,
    sentAt: "2026-01-01T00:00:01.000Z",
    sentBy: "Ana",
    lineIds,
    lateSince: undefined,
  });
}

/** What the tickets of an order have told the kitchen of a line altogether. */
function receivedBy(snapshot: Snapshot, lineId: string): number {
  return (snapshot.kitchenTickets ?? [])
    .flatMap((ticket) => ticket.lines)
    .filter((line) => line.lineId === lineId)
    .reduce((total, line) => total + line.quantity, 0);
}

const edit = fc.record({
  id: fc.constantFrom("a", "b", "c"),
  quantity: fc.integer({ min: 1, max: 9 }),
  voided: fc.boolean(),
});

describe("what is sent to the kitchen", () => {
  it("[ORDER-30, ORDER-32, ORDER-36] adds up to what is on the order, whatever was edited, voided and restored", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(edit, fc.boolean()), { maxLength: 30 }), (steps) => {
        let snapshot = order([]);
        for (const [change, doesSend] of steps) {
          const others = snapshot.lines.filter((line) => line.id !== change.id);
          const next: StoredLine[] = [
            ...others,
            { id: change.id, quantity: change.quantity, ...(change.voided && { voided: true }) },
          ];
          try {
            guardSentLines(snapshot.lines, next, true);
          } catch {
            continue;
          }
          snapshot = { ...snapshot, lines: withKitchenFields(snapshot.lines, next) };
          if (doesSend) snapshot = send(snapshot) ?? snapshot;
        }
        snapshot = send(snapshot) ?? snapshot;
        for (const line of snapshot.lines) {
          expect(receivedBy(snapshot, line.id)).toBe(line.voided === true ? 0 : line.quantity);
          expect(missingQuantity(line)).toBe(0);
        }
        expect(send(snapshot)).toBeNull();
      }),
    );
  });

  it("[ORDER-31] is never an empty ticket", () => {
    expect(send(order([]))).toBeNull();
    expect(send(order([{ id: "a", quantity: 0 }]))).toBeNull();
    expect(send(order([{ id: "a", quantity: 2, voided: true }]))).toBeNull();
  });

  it("[ORDER-33] is only the requested lines", () => {
    const sent = send(
      order([
        { id: "a", quantity: 1 },
        { id: "b", quantity: 1 },
      ]),
      ["b"],
    );
    expect(sent?.kitchenTickets?.[0]?.lines).toEqual([{ lineId: "b", quantity: 1 }]);
    expect(() => send(order([{ id: "a", quantity: 1 }]), ["zzz"])).toThrow("no line zzz");
  });
});

describe("the status of the lines", () => {
  it.each<[StoredLine[], string]>([
    [[], "open"],
    [[{ id: "a", quantity: 1 }], "open"],
    [[{ id: "a", quantity: 1, kitchenSentAt: "x", sentQuantity: 1 }], "sent"],
    [[{ id: "a", quantity: 2, kitchenSentAt: "x", sentQuantity: 1 }], "changed"],
    [
      [
        { id: "a", quantity: 1, kitchenSentAt: "x", sentQuantity: 1 },
        { id: "b", quantity: 1 },
      ],
      "changed",
    ],
    [[{ id: "a", quantity: 1, kitchenSentAt: "x", sentQuantity: 1, voided: true }], "changed"],
    [
      [{ id: "a", quantity: 1, kitchenSentAt: "x", sentQuantity: 1, voided: true, kitchenItemStatus: "voided" }],
      "sent",
    ],
  ])("[ORDER-50] of %j is %s", (lines, status) => {
    expect(statusOf(lines)).toBe(status);
  });
});

describe("progress", () => {
  const sent = (): Snapshot => send(order([{ id: "a", quantity: 3 }])) ?? order([]);

  it("[ORDER-37] changes nothing when it is repeated", () => {
    const first = bumpLine(sent(), "a", 2, undefined);
    expect(first?.lines[0]).toMatchObject({ preparedQuantity: 2, kitchenItemStatus: "preparing" });
    expect(bumpLine(first ?? sent(), "a", 2, undefined)).toBeNull();
    expect(() => bumpLine(sent(), "a", 4, undefined)).toThrow("above the 3 sent");
  });

  it("[ORDER-38] is seen once by each station", () => {
    const snapshot = sent();
    const ticketId = snapshot.kitchenTickets?.[0]?.id ?? "";
    const seen = seeTicket(snapshot, ticketId, "grill", "t1");
    expect(seeTicket(seen ?? snapshot, ticketId, "grill", "t2")).toBeNull();
    expect(seeTicket(seen ?? snapshot, ticketId, "bar", "t2")?.kitchenTickets?.[0]?.seen).toHaveLength(2);
  });
});

describe("kitchen fields", () => {
  it("[ORDER-3] are the hub's, whatever a writer sends", () => {
    const stored: StoredLine[] = [{ id: "a", quantity: 1, kitchenSentAt: "t", sentQuantity: 1 }];
    const sent: StoredLine[] = [
      { id: "a", quantity: 2, sentQuantity: 9, preparedQuantity: 9 },
      { id: "b", quantity: 1, kitchenSentAt: "never", kitchenTicketId: "x", queuedAt: "q" },
    ];
    expect(withKitchenFields(stored, sent)).toEqual([
      { id: "a", quantity: 2, kitchenSentAt: "t", sentQuantity: 1 },
      { id: "b", quantity: 1 },
    ]);
  });
});
