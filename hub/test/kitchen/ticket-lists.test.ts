import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { MAX_OVERDUE } from "../../kitchen/ticket-lists.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600_000;
const upsert = { type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() };

it("a ticket leaves the lists 18 hours after it was sent [KIT-11]", async () => {
  const clock = manualClock();
  const hub = await startTestHub({ world: clock.world });
  const terminal = await hub.terminal();
  await terminal.change(upsert);
  const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
  const open = async () => (await operatorOf(hub)("kitchen")).body.tickets;
  clock.advance(17 * HOUR);
  expect(await open()).toMatchObject([{ ticketId: kitchenTicketId }]);
  await until("it is over", async () => {
    clock.advance(HOUR);
    return (await open()).length === 0;
  });
  const again = await hub.terminal({ login: "cashier" });
  expect(again.sync.tickets).toEqual([]);
  // A bump brings the ticket back.
  await again.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a", preparedQuantity: 1 });
  await again.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a", preparedQuantity: 0 });
  expect(await open()).toMatchObject([{ ticketId: kitchenTicketId, state: "unseen" }]);
});

it("unfinished tickets leave the lists after 18 hours, however many they are [KIT-11]", async () => {
  const clock = manualClock();
  const hub = await startTestHub({ world: clock.world });
  const terminal = await hub.terminal();
  const lines: object[] = [];
  for (let baseVersion = 0; lines.length <= MAX_OVERDUE; baseVersion += 2) {
    lines.push({ id: `line ${baseVersion}`, quantity: 1 });
    await terminal.change({ ...upsert, baseVersion, snapshot: terminalSnapshot({ lines: [...lines] }) });
    await terminal.change({ type: "ORDER_SEND", posReference: "A" });
  }
  const open = async () => (await operatorOf(hub)("kitchen")).body.tickets.length;
  expect(await open()).toBe(lines.length);
  clock.advance(19 * HOUR);
  await until("some are over", async () => {
    clock.advance(HOUR / 60);
    return (await open()) < lines.length;
  });
  // The rest follow without further time passing.
  await until("all are over", async () => (await open()) === 0);
});

it("an unreadable ticket is rebuilt when one of its checks is written, and nothing is sent twice [KIT-73]", async () => {
  const hub = await startTestHub();
  const terminal = await hub.terminal({ login: "cashier" });
  const dish = { id: "a", productId: 101, name: "Sopa", quantity: 4, unitPrice: 10 };
  const write = (posReference: string, baseVersion: number, quantity: number) => ({
    posReference,
    baseVersion,
    snapshot: terminalSnapshot({ lines: [{ ...dish, quantity, total: 10 * quantity }] }),
  });
  await terminal.change({ type: "ORDER_UPSERT", ...write("A", 0, 4) });
  const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
  await terminal.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a", preparedQuantity: 1 });
  await terminal.change({ type: "ORDER_BATCH", orders: [write("A", 3, 3), write("B", 0, 1)] });
  const done = await terminal.change({ type: "ORDER_UPSERT", ...write("C", 0, 1) }).then(() => sendAndCook("C"));
  async function sendAndCook(posReference: string) {
    const sent = await terminal.change({ type: "ORDER_SEND", posReference });
    return terminal.change({
      type: "KITCHEN_BUMP",
      kitchenTicketId: sent.kitchenTicketId,
      lineId: "a",
      preparedQuantity: 1,
    });
  }
  expect(done.version).toBe(3);
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    db.exec("UPDATE tickets SET body = '{'");
    db.close();
  });
  const again = await hub.terminal({ login: "cashier" });
  expect(again.sync.tickets).toEqual([]);

  await again.change({ type: "ORDER_UPSERT", ...write("A", 4, 3) });
  const share = (posReference: string, quantity: number, preparedQuantity = 0) =>
    expect.objectContaining({ posReference, lineId: "a", quantity, preparedQuantity });
  const rebuilt = await again.next("TICKET_CHANGED");
  expect(rebuilt.ticket).toMatchObject({
    id: kitchenTicketId,
    lines: [{ name: "Sopa", quantity: 4, preparedQuantity: 1, shares: [share("A", 3, 1), share("B", 1)] }],
  });
  for (const posReference of ["A", "B", "C"]) {
    expect(await again.change({ type: "ORDER_SEND", posReference })).not.toHaveProperty("kitchenTicketId");
  }
  await again.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a", preparedQuantity: 4 });
  // The tickets that had left the kitchen's lists do not return.
  await again.change({ type: "ORDER_UPSERT", ...write("C", 3, 2) });
  const { kitchenTicketId: more } = await again.change({ type: "ORDER_SEND", posReference: "C" });
  const observer = await hub.terminal({ login: "manager" });
  expect(observer.sync.tickets).toMatchObject([{ id: more, lines: [{ quantity: 1 }] }]);
  expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: ["data_file"] });
});

it("a part in other words is on a line of its own, also of a ticket that is rebuilt [KIT-575, KIT-73]", async () => {
  const hub = await startTestHub();
  const terminal = await hub.terminal();
  const dish = { id: "a", productId: 101, name: "Sopa", quantity: 2, unitPrice: 10, total: 20 };
  const write = (posReference: string, baseVersion: number, lines: (typeof dish)[]) => ({
    posReference,
    baseVersion,
    snapshot: terminalSnapshot({ lines }),
  });
  await terminal.change({ type: "ORDER_UPSERT", ...write("A", 0, [dish]) });
  const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
  const half = { ...dish, quantity: 1, total: 10 };
  const allergic = { ...half, allergy: "mariscos" };
  await terminal.change({ type: "ORDER_BATCH", orders: [write("A", 2, [half]), write("B", 0, [allergic])] });
  const words = [
    { lineId: "a", quantity: 1, shares: [{ posReference: "A" }] },
    { lineId: "a 2", quantity: 1, allergy: "mariscos", shares: [{ posReference: "B" }] },
  ];
  const ticketNow = async () => (await hub.terminal({ login: "manager" })).sync.tickets;
  expect(await ticketNow()).toMatchObject([{ id: kitchenTicketId, lines: words }]);
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    db.exec("UPDATE tickets SET body = '{'");
    db.close();
  });
  const again = await hub.terminal({ login: "cashier" });
  await again.change({ type: "ORDER_UPSERT", ...write("A", 3, [half]) });
  expect(await ticketNow()).toMatchObject([{ id: kitchenTicketId, lines: words }]);
  await again.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId: "a 2", preparedQuantity: 1 });
  expect((await hub.terminal({ login: "waiter" })).sync.orders).toMatchObject([
    { posReference: "A", snapshot: { lines: [{ preparedQuantity: 0 }] } },
    { posReference: "B", snapshot: { lines: [{ preparedQuantity: 1 }] } },
  ]);
});

it("an unreadable ticket does not keep other tickets from being shown [KIT-15]", async () => {
  const hub = await startTestHub();
  const terminal = await hub.terminal();
  await terminal.change(upsert);
  const damaged = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
  await terminal.change({ ...upsert, posReference: "B" });
  const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "B" });
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    db.prepare("UPDATE tickets SET body = '{' WHERE ticket_id = ?").run(damaged.kitchenTicketId);
    db.close();
  });
  expect((await operatorOf(hub)("kitchen")).body.tickets).toMatchObject([{ ticketId: kitchenTicketId }]);
  const again = await hub.terminal({ login: "cashier" });
  expect(again.sync.tickets).toMatchObject([{ id: kitchenTicketId }]);
});
