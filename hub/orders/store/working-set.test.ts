import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { KitchenTicket, Snapshot } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import type { Tx } from "../../changes/change.ts";
import { openMemory } from "../../db/open.ts";
import { createTicketStore } from "../../kitchen/ticket-store.ts";
import { HubError } from "../../platform/errors.ts";
import { realWorld } from "../../platform/world.ts";
import { createOrderStore } from "./order-store.ts";

const world = realWorld(pino({ level: "silent" }));

function setUp() {
  const db = openMemory(world);
  // Lets tests fail a commit with a violated deferred foreign key.
  db.pragma("foreign_keys = ON");
  db.exec(`
    CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT`);
  const orders = createOrderStore(db);
  const tickets = createTicketStore(db);
  return {
    changes: createChangeLog(db, world),
    orders,
    tickets,
    failCommit: () => void db.prepare("INSERT INTO children VALUES (1)").run(),
    /** Stores order A with this guest count, and a ticket whose `sentBy` contains the count. */
    save(tx: Tx, guestCount: number): void {
      const previous = orders.get("A");
      const kind = previous === null ? "created" : "edited";
      const snapshot = { ...sound, guestCount };
      orders.save(tx, { posReference: "A", snapshot, kind, origin: "till", userName: null, previous });
      tickets.save(tx, { ...ticket, sentBy: `${guestCount} guests` }, "till");
    },
    guests: () => orders.get("A")?.snapshot.guestCount,
    note: () => tickets.listByOrder("A").tickets.map((each) => each.ticket.sentBy),
  };
}

describe("the working set", () => {
  it("the working set matches the stored orders, also after an undone write or group [ORDER-151]", async () => {
    const { changes, save, guests, note, failCommit } = setUp();
    await changes.write((tx) => save(tx, 2));
    expect([guests(), note()]).toEqual([2, ["2 guests"]]);

    const undone = changes.write((tx) => {
      save(tx, 3);
      expect([guests(), note()]).toEqual([3, ["3 guests"]]);
      throw new HubError("FORBIDDEN", "no");
    });
    await expect(undone).rejects.toThrow("no");
    expect([guests(), note()]).toEqual([2, ["2 guests"]]);

    const group = [changes.write((tx) => save(tx, 4)), changes.write((tx) => save(tx, 5)), changes.write(failCommit)];
    expect([guests(), note()]).toEqual([5, ["5 guests"]]);
    const outcomes = await Promise.allSettled(group);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect([guests(), note()]).toEqual([2, ["2 guests"]]);
  });

  it("the working set forgets a removed order, unless the removal is undone [ORDER-151]", async () => {
    const { changes, orders, save, guests } = setUp();
    await changes.write((tx) => save(tx, 2));
    const remove = (tx: Tx): void => {
      const order = orders.get("A");
      if (order !== null) orders.remove(tx, order, "till", { reason: null });
      expect(guests()).toBeUndefined();
    };
    const undone = changes.write((tx) => {
      remove(tx);
      throw new HubError("FORBIDDEN", "no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(guests()).toBe(2);
    await changes.write(remove);
    expect(guests()).toBeUndefined();
  });

  it("an order of the working set is frozen, because all readers share it [ORDER-151]", async () => {
    const { changes, orders, tickets, save } = setUp();
    await changes.write((tx) => save(tx, 2));
    const order = orders.get("A");
    expect(() => order?.snapshot.lines.push({ id: "x" } as never)).toThrow(TypeError);
    expect(() => tickets.listByOrder("A").tickets[0]?.ticket.lines.pop()).toThrow(TypeError);
  });
});

const sound: Snapshot = {
  posReference: "A",
  status: "open",
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  createdAt: "2026-11-22T12:00:00.000Z",
  updatedAt: "2026-11-22T12:00:00.000Z",
  lines: [],
  totals: { subtotal: 0, tax: 0, total: 0 },
};

const ticket: KitchenTicket = {
  id: "T",
  posReference: "A",
  stationId: null,
  stationName: null,
  orderType: "takeout",
  tableId: null,
  checkNumber: null,
  ticketNumber: null,
  customerName: null,
  sentAt: "2026-11-22T12:00:00.000Z",
  sentBy: "Ana",
  terminalId: "till",
  seen: [],
  serving: false,
  lines: [],
  readyAt: null,
  isOver: false,
};
