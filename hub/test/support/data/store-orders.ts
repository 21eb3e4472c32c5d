import { crc32 } from "node:zlib";
import { DAY_MS } from "@comanda/protocol";
import Database from "better-sqlite3";
import { keepSealed } from "../../../db/integrity/sealed-tables.ts";
import { sqlTime } from "../../../platform/world.ts";

/** A time, in ms since 1970, that is not recent but not old enough for removal. */
export const LONG_AGO = Date.now() - 30 * DAY_MS;

export interface StoredOrders {
  count: number;
  /** Prefix of each reference, before its number. */
  prefix?: string;
  customerName?: string;
  status?: "open" | "closed";
  /** Time of the last write, in ms since 1970. */
  at?: number;
}

/** Writes orders into a closed data file, as if created one after the other. Returns their references. */
export function storeOrders(dbPath: string, options: StoredOrders): string[] {
  const { count, prefix = "OLD", customerName = "Ana", status = "closed", at = LONG_AGO } = options;
  const db = new Database(dbPath);
  keepSealed(db);
  const state = db.prepare<[], { seq: number }>("SELECT seq FROM hub_state").get() ?? { seq: 0 };
  const insertVersion = db.prepare(`
    INSERT INTO order_versions (pos_reference, version, origin, kind, is_content, at, write_seq, body, checksum)
    VALUES (?, 1, 'till', 'created', 1, ?, 0, ?, ?)`);
  const insertOrder = db.prepare(`
    INSERT INTO orders (pos_reference, version, body_id, seq, status, is_active, order_type, search_text, updated_at)
    VALUES (?, 1, ?, ?, ?, ?, 'takeout', ?, ?)`);
  const references = Array.from({ length: count }, (_, index) => `${prefix}/${index}`);
  db.transaction(() => {
    for (const [index, posReference] of references.entries()) {
      const body = JSON.stringify(storedOrder(posReference, { customerName, status, at }));
      const { lastInsertRowid } = insertVersion.run(posReference, at, body, crc32(body));
      const searchText = `${posReference}\n${customerName}`.toLowerCase();
      const seq = state.seq + 1 + index;
      insertOrder.run(posReference, lastInsertRowid, seq, status, status === "open" ? 1 : 0, searchText, at);
    }
    db.prepare("UPDATE hub_state SET seq = seq + ?").run(count);
  })();
  db.close();
  return references;
}

function storedOrder(posReference: string, options: { customerName: string; status: string; at: number }) {
  const time = new Date(options.at).toISOString();
  return {
    posReference,
    version: 1,
    tableId: null,
    terminalId: "till",
    createdAt: sqlTime(options.at),
    updatedAt: sqlTime(options.at),
    snapshot: {
      posReference,
      status: options.status,
      orderType: "takeout",
      tableId: null,
      guestCount: 1,
      customerName: options.customerName,
      createdAt: time,
      updatedAt: time,
      lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: 100, total: 100, taxIds: [], taxAmount: 0 }],
      totals: { subtotal: 100, tax: 0, total: 100 },
    },
  };
}
