import { pino } from "pino";
import { expect, it } from "vitest";
import type { KitchenTicket, Snapshot } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createTicketStore } from "../../kitchen/ticket-store.ts";
import { createOrderStore } from "../../orders/store/order-store.ts";
import { realWorld } from "../../platform/world.ts";
import { createContentReader, RECORDS_PER_SLICE, type SyncScope } from "./sync-content.ts";

const world = realWorld(pino({ level: "silent" }));
const ORDERS = 4 * RECORDS_PER_SLICE + 7;

const snapshot = (n: number): Snapshot => ({
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  posReference: `Orden ${n}`,
  status: "open",
  lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: 50, total: 50 }],
  totals: { subtotal: 50, tax: 0, total: 50 },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
});

const ticket = (n: number): KitchenTicket =>
  ({
    id: `ticket ${n}`,
    posReference: `Orden ${n}`,
    sentAt: "2026-01-01T00:00:00.000Z",
    lines: [],
    isOver: false,
  }) as unknown as KitchenTicket;

it.each<SyncScope>([
  { mode: "full", updatedSince: 0 },
  { mode: "delta", since: 0 },
])("a $mode SYNC is read in slices of a few dozen orders and tickets [TERM-174]", async (scope) => {
  const db = openMemory(world);
  const orders = createOrderStore(db);
  const tickets = createTicketStore(db);
  const changes = createChangeLog(db, world);
  await changes.write((tx) => {
    for (let n = 0; n < ORDERS; n += 1) {
      const posReference = `Orden ${n}`;
      const content = snapshot(n);
      orders.save(tx, {
        posReference,
        snapshot: content,
        kind: "created",
        origin: "till",
        userName: null,
        previous: null,
      });
      tickets.save(tx, ticket(n), "till");
    }
  });
  const reader = createContentReader(db, { orders, now: () => 0, onDamage: () => {} });
  expect(reader.isLarge(scope)).toBe(true);
  const steps = reader.read(scope);
  const read: number[] = [];
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true) {
      read.push(step.value);
      continue;
    }
    const references = step.value.orders.map((text) => (JSON.parse(text) as Snapshot).posReference);
    expect(references).toEqual(Array.from({ length: ORDERS }, (_, n) => `Orden ${n}`));
    expect(step.value.tickets.map((text) => JSON.parse(text) as unknown)).toEqual(
      Array.from({ length: ORDERS }, (_, n) => ticket(n)),
    );
    break;
  }
  expect(Math.max(...read)).toBe(RECORDS_PER_SLICE);
  expect(read.reduce((sum, each) => sum + each, 0)).toBe(2 * ORDERS);
});
