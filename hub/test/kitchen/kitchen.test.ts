import type { HubMessageOf, KitchenTicket } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const twoLines = [
  { id: "a", quantity: 2, unitPrice: 10 },
  { id: "b", quantity: 1, unitPrice: 5 },
];

const upsert = (baseVersion: number, lines: unknown[], overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference: "A",
  baseVersion,
  snapshot: terminalSnapshot({ lines, ...overrides }),
});
const send = (more: Record<string, unknown> = {}) => ({ type: "ORDER_SEND", posReference: "A", ...more });
const bump = (preparedQuantity: number, more: Record<string, unknown> = {}) => ({
  type: "KITCHEN_BUMP",
  posReference: "A",
  lineId: "a",
  preparedQuantity,
  ...more,
});

async function received(terminal: TestTerminal, version: number) {
  const message = await until("the change", () =>
    terminal.received.find(
      (message): message is HubMessageOf<"ORDER_CHANGED"> =>
        message.type === "ORDER_CHANGED" && message.version === version,
    ),
  );
  return message.order.snapshot;
}

/** Returns the latest version of each received ticket. */
function ticketsOf(terminal: TestTerminal): KitchenTicket[] {
  const tickets = terminal.received.flatMap((message) => (message.type === "TICKET_CHANGED" ? [message.ticket] : []));
  return [...new Map(tickets.map((ticket) => [ticket.id, ticket])).values()];
}

const ticketOf = (terminal: TestTerminal, id: string | undefined): Promise<KitchenTicket> =>
  until("the ticket", () => ticketsOf(terminal).find((ticket) => ticket.id === id));

const codeOf = (change: Promise<unknown>): Promise<string> =>
  change.then(
    () => "taken",
    (error: { errorCode: string }) => error.errorCode,
  );

describe("sending ", () => {
  it("a send gives the kitchen the unsent quantities, once [ORDER-30, ORDER-31]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    await terminal.change(upsert(0, twoLines));
    const ack = await terminal.change(send());
    expect(ack).toMatchObject({ version: 2, seq: 2, kitchenTicketId: expect.any(String) });
    const sentAt = new Date(clock.world.clock.now()).toISOString();
    const { kitchenTicketId } = ack;
    const kitchen = { kitchenSentAt: sentAt, preparedQuantity: 0, kitchenTicketId, kitchenItemStatus: "pending" };
    expect(await received(terminal, 2)).toMatchObject({
      status: "sent",
      lines: [
        { id: "a", sentQuantity: 2, ...kitchen },
        { id: "b", sentQuantity: 1, ...kitchen },
      ],
    });
    expect(await ticketOf(terminal, kitchenTicketId)).toMatchObject({
      id: kitchenTicketId,
      sentAt,
      sentBy: terminal.hello.user.name,
      lines: [
        { lineId: "a", quantity: 2 },
        { lineId: "b", quantity: 1 },
      ],
      seen: [],
    });
    const again = await terminal.change(send());
    expect(again).toMatchObject({ version: 2, seq: 2 });
    expect(again).not.toHaveProperty("kitchenTicketId");
  });

  it("simultaneous sends from two devices create one ticket [ORDER-31]", async () => {
    const hub = await startTestHub();
    const first = await hub.terminal({ deviceId: "one" });
    const second = await hub.terminal({ login: "cashier", deviceId: "two" });
    await first.change(upsert(0, twoLines));
    const acks = await Promise.all([first.change(send()), second.change(send())]);
    expect(acks.filter((ack) => ack.kitchenTicketId !== undefined)).toHaveLength(1);
    await received(first, 2);
    expect(new Set(ticketsOf(first).map(({ id }) => id)).size).toBe(1);
  });

  it("a send covers only new quantities, and only the requested lines [ORDER-32, ORDER-33, ORDER-39]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change(upsert(0, twoLines));
    expect(await codeOf(terminal.change(send({ lineIds: ["a", "zzz"] })))).toBe("NOT_FOUND");
    const first = await terminal.change(send({ lineIds: ["a"] }));
    expect((await ticketOf(terminal, first.kitchenTicketId)).lines).toMatchObject([{ lineId: "a", quantity: 2 }]);
    await terminal.change(upsert(2, [{ id: "a", quantity: 5, unitPrice: 10 }, twoLines[1]]));
    expect(await received(terminal, 3)).toMatchObject({
      status: "changed",
      lines: [{ quantity: 5, sentQuantity: 2 }, { id: "b" }],
    });
    const second = await terminal.change(send());
    expect((await received(terminal, 4)).status).toBe("sent");
    expect((await ticketOf(terminal, second.kitchenTicketId)).lines).toMatchObject([
      { lineId: "a", quantity: 3 },
      { lineId: "b", quantity: 1 },
    ]);
  });

  it("a send that waited more than 5 minutes in an outbox is marked as late [ORDER-34]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    const ago = (ms: number) => new Date(clock.world.clock.now() - ms).toISOString();
    await terminal.change(upsert(0, twoLines));
    const first = await terminal.change(send({ lineIds: ["b"], queuedAt: ago(299_000) }));
    const onTime = await ticketOf(terminal, first.kitchenTicketId);
    expect(onTime).not.toHaveProperty("late");
    expect(onTime.lines[0]).not.toHaveProperty("queuedAt");
    const queuedAt = ago(301_000);
    const second = await terminal.change(send({ queuedAt }));
    expect(await ticketOf(terminal, second.kitchenTicketId)).toMatchObject({
      late: true,
      queuedAt,
      lines: [{ lineId: "a", queuedAt }],
    });
    const snapshot = await received(terminal, 3);
    expect(snapshot.lines).toMatchObject([{ id: "a", queuedAt }, { id: "b" }]);
    expect(snapshot.lines[1]).not.toHaveProperty("queuedAt");
  });

  it("an order stays sent when a write changes no line [ORDER-39]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change(upsert(0, twoLines));
    await terminal.change(send());
    const lines = (await received(terminal, 2)).lines.map((line) =>
      Object.fromEntries(Object.entries(line).toReversed()),
    );
    await terminal.change(upsert(2, lines, { customerName: "Ana" }));
    expect(await received(terminal, 3)).toMatchObject({ status: "sent", customerName: "Ana" });
    await terminal.change(upsert(3, [...lines, { id: "c", quantity: 1 }]));
    expect((await received(terminal, 4)).status).toBe("changed");
  });
});

describe("sent lines ", () => {
  it("a sent line cannot be removed or lowered, but a cashier may void it [ORDER-35]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till" });
    await waiter.change(upsert(0, twoLines));
    const { kitchenTicketId } = await waiter.change(send({ lineIds: ["a"] }));
    // Once the kitchen has seen the ticket, its dishes cannot be taken back.
    await cashier.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "grill" });
    const [, b] = twoLines;
    const voided = { ...twoLines[0], voided: true };
    for (const [terminal, lines] of [
      [waiter, [b]],
      [cashier, [b]],
      [waiter, [{ id: "a", quantity: 1 }, b]],
      [cashier, [{ id: "a", quantity: 1 }, b]],
      [waiter, [voided, b]],
    ] as const) {
      expect(await codeOf(terminal.change(upsert(2, [...lines])))).toBe("SENT_LINES_IMMUTABLE");
    }
    expect(await codeOf(waiter.change(upsert(3, [twoLines[0]])))).toBe("taken");
    await cashier.change(upsert(4, [voided]));
    expect(await received(cashier, 5)).toMatchObject({
      totals: { total: 0 },
      lines: [{ id: "a", voided: true, sentQuantity: 2 }],
    });
    expect(await codeOf(waiter.change(upsert(5, [voided], { notes: "x" })))).toBe("taken");
  });

  it("a void cancels a sent line without another send, and undoing it reactivates the line [ORDER-36]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const [a] = twoLines;
    await till.change(upsert(0, [a]));
    const { kitchenTicketId } = await till.change(send());
    await till.change(upsert(2, [{ ...a, voided: true }]));
    expect(await received(till, 3)).toMatchObject({
      status: "sent",
      lines: [{ sentQuantity: 2, kitchenItemStatus: "voided" }],
    });
    expect((await ticketOf(till, kitchenTicketId)).lines).toMatchObject([{ quantity: 2, cancelledQuantity: 2 }]);
    expect(await till.change(send())).not.toHaveProperty("kitchenTicketId");
    await till.change(upsert(3, [a]));
    expect(await received(till, 4)).toMatchObject({
      status: "sent",
      lines: [{ sentQuantity: 2, kitchenItemStatus: "pending" }],
    });
    expect(await till.change(send())).not.toHaveProperty("kitchenTicketId");
    expect((await ticketOf(till, kitchenTicketId)).lines).toMatchObject([
      { quantity: 2, cancelledQuantity: 0, state: "unseen" },
    ]);
    expect(ticketsOf(till)).toHaveLength(1);
  });
});

describe("kitchen stations ", () => {
  it("a station reports progress in absolute quantities [ORDER-37]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change(upsert(0, twoLines));
    expect(await codeOf(terminal.change(bump(1)))).toBe("VALIDATION_ERROR");
    await terminal.change(send());
    await terminal.change(bump(1));
    expect((await received(terminal, 3)).lines[0]).toMatchObject({
      preparedQuantity: 1,
      kitchenItemStatus: "preparing",
    });
    expect(await terminal.change(bump(1))).toMatchObject({ version: 3 });
    await terminal.change(bump(2));
    expect((await received(terminal, 4)).lines[0]).toMatchObject({ preparedQuantity: 2, kitchenItemStatus: "ready" });
    for (const kitchenItemStatus of ["on_paper", "voided"]) {
      expect(await codeOf(terminal.change(bump(1, { kitchenItemStatus })))).toBe("VALIDATION_ERROR");
    }
    await terminal.change(bump(0, { kitchenItemStatus: "recalled" }));
    expect((await received(terminal, 5)).lines[0]).toMatchObject({
      preparedQuantity: 0,
      kitchenItemStatus: "recalled",
    });
    expect(await codeOf(terminal.change(bump(3)))).toBe("VALIDATION_ERROR");
    expect(await codeOf(terminal.change(bump(1, { lineId: "zzz" })))).toBe("NOT_FOUND");
    expect(await codeOf(terminal.change(bump(-1)))).toBe("VALIDATION_ERROR");
  });

  it("a station marks tickets as seen and bumps them while another terminal holds the lease [ORDER-38, ORDER-40]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const grill = await hub.terminal({ login: "cashier", deviceId: "grill" });
    await waiter.change(upsert(0, twoLines));
    const { kitchenTicketId } = await waiter.change(send());
    await waiter.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    const seen = { type: "KITCHEN_SEEN", kitchenTicketId, stationId: "grill" };
    expect(await grill.change(seen)).toMatchObject({ posReference: "A", version: 3 });
    expect(await grill.change(seen)).toMatchObject({ version: 3 });
    expect(await grill.change({ ...seen, stationId: "bar" })).toMatchObject({ version: 4 });
    await received(grill, 4);
    expect((await ticketOf(grill, kitchenTicketId)).seen).toMatchObject([{ stationId: "grill" }, { stationId: "bar" }]);
    expect(await grill.change(bump(1))).toMatchObject({ version: 5 });
    expect(await codeOf(grill.change({ ...seen, kitchenTicketId: "none" }))).toBe("NOT_FOUND");
  });
});
