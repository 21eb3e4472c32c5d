import type { KitchenTicket, StoredOrder } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

type Lines = Record<string, unknown>[];

const soup = { id: "soup", productId: 101, name: "Sopa", quantity: 4, unitPrice: 10 };
const beer = { id: "beer", productId: 201, name: "Cerveza", quantity: 2, unitPrice: 5 };

const write = (posReference: string, baseVersion: number, lines: Lines, overrides: Record<string, unknown> = {}) => ({
  posReference,
  baseVersion,
  snapshot: terminalSnapshot({ lines, ...overrides }),
});
const upsert = (...args: Parameters<typeof write>) => ({ type: "ORDER_UPSERT", ...write(...args) });
const batch = (...orders: ReturnType<typeof write>[]) => ({ type: "ORDER_BATCH", orders });
const send = (posReference = "A") => ({ type: "ORDER_SEND", posReference });
const seen = (kitchenTicketId: string, stationId = "grill") => ({ type: "KITCHEN_SEEN", kitchenTicketId, stationId });
const bump = (kitchenTicketId: string, lineId: string, preparedQuantity: number) => ({
  type: "KITCHEN_BUMP",
  kitchenTicketId,
  lineId,
  preparedQuantity,
});
const served = (kitchenTicketId: string, more: Record<string, unknown> = {}) => ({
  type: "KITCHEN_SERVED",
  kitchenTicketId,
  ...more,
});
const pay = (posReference: string, baseVersion: number, amount: number) => ({
  type: "ORDER_PAY",
  posReference,
  baseVersion,
  payments: [{ methodId: 1, amount }],
});

/** Opens A with these lines and sends it. Returns the ticket ids. */
async function openAndSend(terminal: TestTerminal, lines: Lines = [soup]): Promise<[string, ...string[]]> {
  await terminal.change(upsert("A", 0, lines));
  const { kitchenTicketIds } = await terminal.change(send());
  return kitchenTicketIds as [string, ...string[]];
}

/** Returns the shared state as a newly connected terminal receives it. */
async function syncNow(
  hub: TestHub,
): Promise<{ tickets: KitchenTicket[]; recent: KitchenTicket[]; orders: Map<string, StoredOrder> }> {
  const { sync, close } = await hub.terminal({ login: "manager", deviceId: "looker" });
  close();
  return {
    tickets: sync.tickets ?? [],
    recent: sync.recentTickets ?? [],
    orders: new Map(sync.orders.map((order) => [order.posReference, order])),
  };
}

async function changedTicket(terminal: TestTerminal, id: string, matches: (ticket: KitchenTicket) => boolean) {
  const message = await until("the ticket", () =>
    terminal.received.findLast(
      (each) => each.type === "TICKET_CHANGED" && each.ticket.id === id && matches(each.ticket),
    ),
  );
  return (message as { ticket: KitchenTicket }).ticket;
}

const codeOf = (change: Promise<unknown>): Promise<string> =>
  change.then(
    () => "taken",
    (error: { errorCode: string }) => error.errorCode,
  );

describe("tickets ", () => {
  it("a ticket describes its dishes without a menu and is sent as shared state of its own [KIT-1, KIT-10]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "tablet" });
    const dish = { ...soup, modifiers: [{ name: "sin cebolla" }], note: "caliente", seat: 2, course: "first" };
    await terminal.change(upsert("A", 0, [dish], { orderType: "dine_in", tableId: 5, customerName: "Ana" }));
    const { kitchenTicketId = "", seq = 0 } = await terminal.change(send());
    const message = await terminal.next("TICKET_CHANGED");
    expect(message.seq).toBe(seq + 1);
    expect(message.ticket).toMatchObject({
      id: kitchenTicketId,
      posReference: "A",
      stationId: "kitchen",
      orderType: "dine_in",
      tableId: 5,
      checkNumber: 1,
      customerName: "Ana",
      sentBy: terminal.hello.user.name,
      terminalId: "tablet",
      isOver: false,
      lines: [
        {
          lineId: "soup",
          name: "Sopa",
          quantity: 4,
          preparedQuantity: 0,
          cancelledQuantity: 0,
          state: "unseen",
          modifiers: [{ name: "sin cebolla" }],
          note: "caliente",
          seat: 2,
          course: "first",
        },
      ],
    });
    expect((await syncNow(hub)).tickets).toEqual([message.ticket]);
  });

  it("a finished ticket is part of a delta [KIT-1]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "tablet" });
    const [ticket] = await openAndSend(terminal);
    const { hubId, epoch } = terminal.sync;
    const { seq } = await terminal.change(bump(ticket, "soup", 1));
    await terminal.change(bump(ticket, "soup", 4));
    expect((await syncNow(hub)).tickets).toEqual([]);
    terminal.send({ type: "RESYNC", since: { hubId, epoch, seq } });
    const delta = await terminal.next("SYNC", ({ mode }) => mode === "delta");
    expect(delta.tickets).toMatchObject([{ id: ticket, isOver: true, lines: [{ state: "ready" }] }]);
  });

  it("finished tickets of the last day are part of a full SYNC, the last finished last [KIT-205]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal({ deviceId: "tablet" });
    const [first] = await openAndSend(terminal);
    await terminal.change(upsert("B", 0, [beer]));
    const { kitchenTicketId: second = "" } = await terminal.change(send("B"));
    await terminal.change(bump(second, "beer", 2));
    await terminal.change(bump(first, "soup", 4));
    await terminal.change(served(second));
    const { recent } = await syncNow(hub);
    expect(recent).toMatchObject([
      { id: first, isOver: true, lines: [{ state: "ready", readyAt: expect.any(String) }] },
      { id: second, isOver: true, lines: [{ state: "served" }] },
    ]);
    await terminal.change(bump(first, "soup", 3));
    expect((await syncNow(hub)).recent.map(({ id }) => id)).toEqual([second]);
    const { hubId, epoch, seq } = terminal.sync;
    terminal.send({ type: "RESYNC", since: { hubId, epoch, seq } });
    expect((await terminal.next("SYNC", ({ mode }) => mode === "delta")).recentTickets).toEqual([]);
    terminal.close();
    clock.jumpWall(24 * 3_600_000 + 1_000);
    expect((await syncNow(hub)).recent).toEqual([]);
  });

  it("a ticket line without a name gets the menu's name [KIT-1]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    expect(terminal.sync.tickets).toEqual([]);
    await terminal.change(upsert("A", 0, [{ id: "x", productId: 101, quantity: 1 }]));
    await terminal.change(send());
    const { ticket } = await terminal.next("TICKET_CHANGED");
    expect(ticket.lines[0]?.name).toEqual(expect.any(String));
    expect(ticket.lines[0]?.productId).toBe(101);
  });
});

describe("the life of a ticket ", () => {
  it("lines of a check in checkout or closed can be sent to the kitchen [KIT-2]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await till.change(upsert("A", 0, [{ ...soup, quantity: 1 }, beer]));
    await till.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 1 });
    await till.change({ ...send(), lineIds: ["soup"] });
    expect((await syncNow(hub)).orders.get("A")).toMatchObject({ version: 3, snapshot: { status: "checkout" } });
    await till.change(pay("A", 2, 20));
    await until("the forwarding", async () => (await syncNow(hub)).orders.get("A")?.snapshot.status === "closed");
    const { kitchenTicketId } = await till.change(send());
    expect(kitchenTicketId).toEqual(expect.any(String));
    const { orders, tickets } = await syncNow(hub);
    expect(orders.get("A")).toMatchObject({
      snapshot: { status: "closed", lines: [{ sentQuantity: 1 }, { sentQuantity: 2 }] },
      forward: { state: "done" },
    });
    expect(tickets).toHaveLength(2);
    expect((await hub.send("GET", "/health")).body.pendingForward).toBe(0);
  });

  it("the kitchen continues a ticket after the payment, and the order is forwarded once [KIT-3]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const till = await hub.terminal({ login: "cashier" });
    const [ticket] = await openAndSend(till);
    await till.change(pay("A", 2, 40));
    await until("the forwarding", async () => (await syncNow(hub)).orders.get("A")?.snapshot.status === "closed");
    const { version = 0 } = (await syncNow(hub)).orders.get("A") ?? {};
    expect(await till.change(seen(ticket))).toMatchObject({ posReference: "A", version: version + 1 });
    expect(await till.change(bump(ticket, "soup", 4))).toMatchObject({ posReference: "A", version: version + 2 });
    expect(await till.change(served(ticket))).toMatchObject({ posReference: "A", version: version + 3 });
    expect((await syncNow(hub)).orders.get("A")).toMatchObject({
      version: version + 3,
      snapshot: { status: "closed", lines: [{ preparedQuantity: 4, kitchenItemStatus: "served" }] },
      forward: { state: "done" },
    });
    expect((await hub.backOffice.control("GET", "/audit-events")).events).toHaveLength(1);
  });

  it("the kitchen continues a ticket after the check was discarded [KIT-3, ORDER-152]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const [ticket] = await openAndSend(till);
    await till.change(bump(ticket, "soup", 1));
    const discard = await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 2 });
    const lines = [{ quantity: 4, preparedQuantity: 1, cancelledQuantity: 3, state: "ready", isSeen: false }];
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket, isOver: false, lines }]);
    expect(await till.change(seen(ticket))).toMatchObject({ posReference: "A", version: 4 });
    expect((await syncNow(hub)).tickets).toEqual([]);
    const inCheck = { ...bump(ticket, "soup", 2), kitchenTicketId: undefined, posReference: "A" };
    expect(await till.change(inCheck)).toMatchObject({ posReference: "A" });
    const { version, seq } = discard;
    expect(await till.change(inCheck)).toMatchObject({ posReference: "A", version, seq });
    await changedTicket(
      till,
      ticket,
      ({ lines: [line] }) => line?.preparedQuantity === 2 && line.cancelledQuantity === 2,
    );
    expect(await till.change(served(ticket))).toMatchObject({ posReference: "A" });
    expect(await codeOf(till.change(bump(ticket, "soup", 5)))).toBe("VALIDATION_ERROR");
  });

  it("a bump does not make an edit of the check conflict [KIT-3]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const grill = await hub.terminal({ login: "cashier", deviceId: "grill" });
    const [ticket] = await openAndSend(waiter);
    await grill.change(seen(ticket));
    await grill.change(bump(ticket, "soup", 4));
    await grill.change(served(ticket));
    expect(await waiter.change(upsert("A", 2, [soup, beer]))).toMatchObject({ version: 6 });
  });

  it("a ticket ends when all of it is ready, and a recall reopens it [KIT-4]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal, [soup, beer]);
    await terminal.change(bump(ticket, "soup", 4));
    expect((await syncNow(hub)).tickets).toMatchObject([{ readyAt: null }]);
    await terminal.change(bump(ticket, "beer", 2));
    expect((await syncNow(hub)).tickets).toEqual([]);
    await changedTicket(terminal, ticket, ({ isOver, readyAt }) => isOver && readyAt !== null);
    await terminal.change(bump(ticket, "beer", 1));
    expect((await syncNow(hub)).tickets).toMatchObject([
      { readyAt: null, isOver: false, lines: [{ state: "ready" }, { state: "started" }] },
    ]);
  });

  it("a ticket of a station with serving ends when all of it is served [KIT-4]", async () => {
    const stations = [{ id: "pass", name: "Pase", categoryIds: [], productIds: [], serving: true }];
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify(stations) } });
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal, [soup, beer]);
    await terminal.change(bump(ticket, "soup", 4));
    await terminal.change(served(ticket));
    await terminal.change(bump(ticket, "beer", 2));
    expect((await syncNow(hub)).tickets).toMatchObject([{ lines: [{ state: "served" }, { state: "ready" }] }]);
    expect(await codeOf(terminal.change(served(ticket, { lineIds: ["none"] })))).toBe("NOT_FOUND");
    await terminal.change(served(ticket, { lineIds: ["beer"], stationId: "pass" }));
    expect((await syncNow(hub)).tickets).toEqual([]);
    await terminal.change(bump(ticket, "beer", 0));
    expect((await syncNow(hub)).tickets).toMatchObject([{ lines: [{ state: "served" }, { state: "unseen" }] }]);
  });
});

describe("tickets and split or merged lines ", () => {
  it("a line split to another check stays one dish of the ticket and is bumped as one [KIT-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal);
    await terminal.change(batch(write("A", 2, [{ ...soup, quantity: 1 }]), write("B", 0, [{ ...soup, quantity: 3 }])));
    const lines = [{ name: "Sopa", productId: 101, quantity: 4, state: "unseen" }];
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket, lines }]);
    await terminal.change(bump(ticket, "soup", 2));
    const prepared = async () => {
      const { orders } = await syncNow(hub);
      return ["A", "B"].map((ref) => orders.get(ref)?.snapshot.lines[0]?.preparedQuantity);
    };
    expect(await prepared()).toEqual([1, 1]);
    expect((await syncNow(hub)).orders.get("B")?.snapshot.lines).toMatchObject([
      { sentQuantity: 3, kitchenTicketId: ticket, kitchenItemStatus: "preparing" },
    ]);
    await terminal.change({ type: "KITCHEN_BUMP", posReference: "B", lineId: "soup", preparedQuantity: 3 });
    expect(await prepared()).toEqual([1, 3]);
    expect((await syncNow(hub)).tickets).toEqual([]);
  });

  it("split lines that are merged again are not sent twice [KIT-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal);
    await terminal.change(batch(write("A", 2, [{ ...soup, quantity: 1 }]), write("B", 0, [{ ...soup, quantity: 3 }])));
    await terminal.change(
      batch(write("A", 3, [{ ...soup, quantity: 0.5 }]), write("B", 1, [{ ...soup, quantity: 3.5 }])),
    );
    await terminal.change(batch(write("A", 4, [soup]), write("B", 2, [])));
    const { tickets, orders } = await syncNow(hub);
    expect(orders.get("A")?.snapshot).toMatchObject({ status: "sent", lines: [{ sentQuantity: 4 }] });
    expect(tickets).toMatchObject([
      { id: ticket, lines: [{ quantity: 4, shares: [{ posReference: "A", lineId: "soup", quantity: 4 }] }] },
    ]);
    expect(await terminal.change(send())).not.toHaveProperty("kitchenTicketId");
  });

  it("a ticket shows the table of the check that holds its lines [KIT-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const at = (tableId: number) => ({ orderType: "dine_in", tableId });
    await terminal.change(upsert("A", 0, [soup], at(5)));
    const { kitchenTicketId: ticket } = await terminal.change(send());
    await terminal.change(upsert("A", 2, [soup], at(6)));
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket, tableId: 6, checkNumber: 1 }]);
    await terminal.change(upsert("B", 0, [beer], at(7)));
    await terminal.change(
      batch(write("B", 1, [beer, { ...soup, id: "b-soup", splitOf: "soup" }], at(7)), write("A", 3, [], at(6))),
    );
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket, tableId: 7, posReference: "A" }]);
  });

  it("a ticket stays with the kitchen when its emptied check is discarded [KIT-5]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const [ticket] = await openAndSend(till);
    await till.change(upsert("B", 0, [beer]));
    await till.change(batch(write("B", 1, [beer, soup]), write("A", 2, [])));
    await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 3 }).catch(() => undefined);
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket, lines: [{ state: "unseen", quantity: 4 }] }]);
    await till.change(bump(ticket, "soup", 4));
    expect((await syncNow(hub)).orders.get("B")?.snapshot.lines).toMatchObject([{}, { preparedQuantity: 4 }]);
  });

  it("a line split within a check by splitOf is one dish, also after it is merged again [KIT-6]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal);
    const half = { ...soup, id: "half", quantity: 2, splitOf: "soup" };
    await terminal.change(upsert("A", 2, [{ ...soup, quantity: 2 }, half]));
    let { snapshot } = (await syncNow(hub)).orders.get("A") ?? {};
    expect(snapshot).toMatchObject({ status: "sent", lines: [{ sentQuantity: 2 }, { id: "half", sentQuantity: 2 }] });
    expect(snapshot?.lines[0]?.kitchenLineId).toBe(snapshot?.lines[1]?.kitchenLineId);
    expect(await terminal.change(send())).not.toHaveProperty("kitchenTicketId");
    await terminal.change(bump(ticket, "half", 3));
    ({ snapshot } = (await syncNow(hub)).orders.get("A") ?? {});
    expect(snapshot?.lines).toMatchObject([{ preparedQuantity: 2 }, { preparedQuantity: 1 }]);
    await terminal.change(upsert("A", 3, [soup]));
    ({ snapshot } = (await syncNow(hub)).orders.get("A") ?? {});
    expect(snapshot?.lines).toMatchObject([{ id: "soup", sentQuantity: 4, preparedQuantity: 3 }]);
  });

  it("a line split before it was sent is one line after it is merged, with a ticket for each part [KIT-6]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change(upsert("A", 0, [soup]));
    await terminal.change(
      batch(
        write("A", 1, [{ ...soup, quantity: 1 }]),
        write("B", 0, [{ ...soup, id: "b", quantity: 3, splitOf: "soup", splitFrom: "A" }]),
      ),
    );
    await terminal.change(send("A"));
    await terminal.change(send("B"));
    await terminal.change(batch(write("A", 3, [soup]), write("B", 2, [])));
    const { orders, tickets } = await syncNow(hub);
    expect(orders.get("A")?.snapshot.lines).toMatchObject([{ quantity: 4, sentQuantity: 4 }]);
    expect(tickets).toMatchObject([{ lines: [{ quantity: 1 }] }, { lines: [{ quantity: 3 }] }]);
  });
});

describe("cancelled dishes ", () => {
  it("the voided part of a sent line is cancelled, and a station must mark it as seen [KIT-8]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [ticket] = await openAndSend(waiter);
    await till.change(seen(ticket));
    const partly = { ...soup, voidedQuantity: 2, voidReason: "equivocado" };
    expect(await codeOf(waiter.change(upsert("A", 3, [partly])))).toBe("SENT_LINES_IMMUTABLE");
    expect(await codeOf(till.change(upsert("A", 3, [{ ...soup, voidedQuantity: 5 }])))).toBe("VALIDATION_ERROR");
    await till.change(upsert("A", 3, [partly]));
    const { orders } = await syncNow(hub);
    expect(orders.get("A")?.snapshot).toMatchObject({
      status: "sent",
      totals: { total: 20 },
      lines: [{ quantity: 4, voidedQuantity: 2, voidReason: "equivocado", sentQuantity: 4, total: 20 }],
    });
    await till.change(bump(ticket, "soup", 2));
    expect((await syncNow(hub)).tickets).toMatchObject([
      { isOver: false, lines: [{ quantity: 4, preparedQuantity: 2, cancelledQuantity: 2, state: "ready" }] },
    ]);
    await till.change(seen(ticket));
    expect((await syncNow(hub)).tickets).toEqual([]);
    expect(await till.change(send())).not.toHaveProperty("kitchenTicketId");
  });

  it("a ready dish is never cancelled [KIT-8]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const [ticket] = await openAndSend(till);
    await till.change(bump(ticket, "soup", 3));
    await till.change(upsert("A", 3, [{ ...soup, voided: true }]));
    expect((await syncNow(hub)).tickets).toMatchObject([
      { lines: [{ preparedQuantity: 3, cancelledQuantity: 1, state: "ready" }] },
    ]);
    // The cancelled soup turns out to be ready.
    await till.change(bump(ticket, "soup", 4));
    const { lines } = await changedTicket(till, ticket, ({ isOver }) => isOver);
    expect(lines).toMatchObject([{ preparedQuantity: 4, cancelledQuantity: 0, state: "ready" }]);
  });
});

describe("recalling sent lines ", () => {
  it("a line removed or lowered by its sender before a station has seen it is cancelled [KIT-9]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal();
    const [ticket] = await openAndSend(waiter, [soup, beer]);
    await waiter.change(upsert("A", 2, [{ ...soup, quantity: 1 }]));
    const { orders, tickets } = await syncNow(hub);
    expect(orders.get("A")?.snapshot).toMatchObject({ status: "sent", lines: [{ sentQuantity: 1 }] });
    expect(tickets).toMatchObject([
      {
        id: ticket,
        lines: [
          { quantity: 4, cancelledQuantity: 3, state: "unseen" },
          { quantity: 2, cancelledQuantity: 2, state: "cancelled" },
        ],
      },
    ]);
    expect(await waiter.change(send())).not.toHaveProperty("kitchenTicketId");
    await waiter.change(upsert("A", 3, [soup]));
    await waiter.change(send());
    expect((await syncNow(hub)).tickets).toMatchObject([{ id: ticket }, { lines: [{ quantity: 3 }] }]);
  });

  it("only the sending terminal takes lines back, within 30 s and before they are seen or started [KIT-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    const [ticket] = await openAndSend(waiter, [soup, beer]);
    expect(await codeOf(other.change(upsert("A", 2, [soup])))).toBe("SENT_LINES_IMMUTABLE");
    const key = await hub.external().get("/orders/A");
    const patch = { baseVersion: 2, lines: [{ id: "beer", productId: "201", quantity: 2, unitPrice: 5, total: 10 }] };
    expect((await hub.external().patch("/orders/A", patch)).body).toMatchObject({ errorCode: "SENT_LINES_IMMUTABLE" });
    expect(key.status).toBe(200);
    await waiter.change({ ...bump(ticket, "beer", 1) });
    expect(await codeOf(waiter.change(upsert("A", 3, [soup])))).toBe("SENT_LINES_IMMUTABLE");
    clock.advance(29_999);
    expect(await codeOf(waiter.change(upsert("A", 3, [{ ...soup, quantity: 3 }, beer])))).toBe("taken");
    clock.advance(1);
    const less = () => codeOf(waiter.change(upsert("A", 4, [{ ...soup, quantity: 2 }, beer])));
    expect(await less()).toBe("SENT_LINES_IMMUTABLE");
    clock.jumpWall(-3_600_000);
    expect(await less()).toBe("SENT_LINES_IMMUTABLE");
  });

  it("a line of a ticket marked as seen cannot be taken back [KIT-9]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal();
    const [ticket] = await openAndSend(waiter, [soup]);
    await waiter.change(seen(ticket));
    expect(await codeOf(waiter.change(upsert("A", 3, [])))).toBe("SENT_LINES_IMMUTABLE");
  });
});

describe("stations ", () => {
  const stations = [
    { id: 1, name: "Cocina", categoryIds: [], productIds: [] },
    { id: "bar", name: "Bar", categoryIds: [90], productIds: ["201"] },
    { id: "grill", name: "Parrilla", categoryIds: [], productIds: [201, 301] },
  ];

  it("each station gets a ticket, by the first match, and the first station gets the remaining lines [KIT-10]", async () => {
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify(stations) } });
    const terminal = await hub.terminal();
    const lines = [
      { id: "a", productId: 301, quantity: 1 },
      { id: "b", productId: "201", quantity: 1 },
      { id: "c", productId: 999, quantity: 1 },
      { id: "d", productId: 998, categoryId: "90", quantity: 1 },
    ];
    await terminal.change(upsert("A", 0, lines));
    const ack = await terminal.change(send());
    const { tickets } = await syncNow(hub);
    expect(tickets).toMatchObject([
      { stationId: "1", stationName: "Cocina", lines: [{ lineId: "c" }] },
      { stationId: "bar", stationName: "Bar", lines: [{ lineId: "b" }, { lineId: "d" }] },
      { stationId: "grill", stationName: "Parrilla", lines: [{ lineId: "a" }] },
    ]);
    expect(ack.kitchenTicketIds).toEqual(tickets.map(({ id }) => id));
    expect(ack.kitchenTicketId).toBe(tickets[0]?.id);
    await terminal.change(seen(tickets[1]?.id ?? "", "bar"));
    expect((await syncNow(hub)).tickets.map(({ lines: [line] }) => line?.state)).toEqual(["unseen", "seen", "unseen"]);
  });
});

describe("stations with a numeric id ", () => {
  it("KITCHEN_SEEN and KITCHEN_SERVED accept a station's numeric id [KIT-72]", async () => {
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify([{ id: 3, name: "Bar", serving: true }]) } });
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal);
    await terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId: ticket, stationId: 3 });
    const { version } = await terminal.change(seen(ticket, "3"));
    expect(version).toBe(3);
    const shown = await changedTicket(terminal, ticket, ({ seen: stations }) => stations.length > 0);
    expect(shown).toMatchObject({ stationId: "3", seen: [{ stationId: "3" }] });
    await terminal.change(served(ticket, { stationId: 3, lineIds: ["soup"] }));
    expect((await syncNow(hub)).tickets).toEqual([]);
    const refused = terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId: ticket, stationId: -1 });
    expect(await codeOf(refused)).toBe("VALIDATION_ERROR");
  });

  it("KITCHEN_SEEN without a station counts for the ticket's station [KIT-72]", async () => {
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify([{ id: 3, name: "Bar" }]) } });
    const terminal = await hub.terminal();
    const [ticket] = await openAndSend(terminal);
    const { version } = await terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId: ticket });
    expect((await terminal.change(seen(ticket, "3"))).version).toBe(version);
    const shown = await changedTicket(terminal, ticket, ({ seen: stations }) => stations.length > 0);
    expect(shown.seen).toMatchObject([{ stationId: "3" }]);
  });
});

describe("the operator's kitchen list ", () => {
  it("the kitchen list shows a ticket by station for open, paid and discarded checks [OP-100]", async () => {
    const stations = [{ id: "bar", name: "Bar", categoryIds: [], productIds: [] }];
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify(stations) } });
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier" });
    const list = async (state: string) => (await call("kitchen", { query: { state } })).body.tickets;
    const counts = async () => (await call("overview")).body.kitchen;
    const [ticket] = await openAndSend(till);
    const stream = await openStream(hub);
    await till.change(pay("A", 2, 40));
    await till.change(seen(ticket, "bar"));
    await stream.changed("kitchen");
    expect(await list("open")).toMatchObject([
      {
        ticketId: ticket,
        posReference: "A",
        stationId: "bar",
        stationName: "Bar",
        state: "seen",
        isOver: false,
        lines: [{ lineId: "soup", productId: "101", name: "Sopa", quantity: 4, state: "seen", posReferences: ["A"] }],
      },
    ]);
    await till.change(bump(ticket, "soup", 4));
    await stream.changed("kitchen");
    expect([await list("open"), await list("ready")]).toMatchObject([[], [{ ticketId: ticket, state: "ready" }]]);
    await till.change(upsert("B", 0, [soup]));
    await till.change(send("B"));
    await till.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 2 });
    expect(await list("open")).toMatchObject([
      { posReference: "B", state: "cancelled", lines: [{ cancelledQuantity: 4, state: "cancelled", isSeen: false }] },
    ]);
    expect(await counts()).toMatchObject({ open: 1, unseen: 0, late: 0 });
    const timeline = (await call("orderTimeline", { params: { posReference: "A" } })).body.entries as {
      kind: string;
    }[];
    expect(timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["ticket_sent", "ticket_seen"]));
    stream.close();
  });
});
