import { crc32 } from "node:zlib";
import type { KitchenTicket } from "@comanda/protocol";
import Database from "better-sqlite3";
import { keepSealed } from "../../../db/integrity/sealed-tables.ts";
import { sqlTime } from "../../../platform/world.ts";

export interface PastSale {
  /** Time of order and payment, in ms since 1970. */
  at: number;
  staffName?: string;
  /** Sold quantity by product id. */
  sold: Readonly<Record<number, number>>;
}

/** Writes paid checks with these times into a closed data file. */
export function storeSales(dbPath: string, sales: readonly PastSale[]): void {
  const db = new Database(dbPath);
  keepSealed(db);
  const insertVersion = db.prepare(`
    INSERT INTO order_versions (pos_reference, version, origin, kind, is_content, at, write_seq, body, checksum)
    VALUES (?, 1, 'till', 'paid', 1, ?, 0, ?, ?)`);
  const insertOrder = db.prepare(`
    INSERT INTO orders (pos_reference, version, body_id, seq, status, is_active, order_type, search_text, updated_at)
    VALUES (?, 1, ?, ?, 'closed', 0, 'takeout', ?, ?)`);
  const insertTaking = db.prepare("INSERT INTO takings (at, pos_reference, total, payments) VALUES (?, ?, 0, '[]')");
  const nextSeq = db.prepare<[], number>("UPDATE hub_state SET seq = seq + 1 RETURNING seq").pluck();
  db.transaction(() => {
    for (const [index, { at, staffName = "Ana", sold }] of sales.entries()) {
      const posReference = `PAST/${at}/${index}`;
      const body = JSON.stringify(soldOrder(posReference, at, staffName, sold));
      const { lastInsertRowid } = insertVersion.run(posReference, at, body, crc32(body));
      insertOrder.run(posReference, lastInsertRowid, nextSeq.get(), posReference.toLowerCase(), at);
      insertTaking.run(at, posReference);
    }
  })();
  db.close();
}

/** Writes finished tickets into a closed data file. */
export function storeTickets(dbPath: string, tickets: readonly KitchenTicket[]): void {
  const db = new Database(dbPath);
  keepSealed(db);
  const insert = db.prepare(`
    INSERT INTO tickets (ticket_id, pos_reference, seq, is_over, sent_at, body) VALUES (?, ?, ?, 1, ?, ?)`);
  const nextSeq = db.prepare<[], number>("UPDATE hub_state SET seq = seq + 1 RETURNING seq").pluck();
  db.transaction(() => {
    for (const ticket of tickets) {
      const { id, posReference, sentAt } = ticket;
      insert.run(id, posReference, nextSeq.get(), Date.parse(sentAt), JSON.stringify(ticket));
    }
  })();
  db.close();
}

function soldOrder(posReference: string, at: number, staffName: string, sold: PastSale["sold"]) {
  const time = new Date(at).toISOString();
  const lines = Object.entries(sold).map(([productId, quantity]) => ({
    id: productId,
    productId: Number(productId),
    quantity,
    unitPrice: 100,
    total: 100 * quantity,
    taxIds: [],
    taxAmount: 0,
  }));
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  return {
    posReference,
    version: 1,
    tableId: null,
    terminalId: "till",
    createdAt: sqlTime(at),
    updatedAt: sqlTime(at),
    snapshot: {
      posReference,
      status: "closed",
      orderType: "takeout",
      tableId: null,
      guestCount: 1,
      staffName,
      createdAt: time,
      updatedAt: time,
      lines,
      totals: { subtotal: total, tax: 0, total },
    },
  };
}
