import { DAY_MS } from "@comanda/protocol";
import { copyFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import Database from "better-sqlite3";
import { keepSealed } from "../../db/integrity/sealed-tables.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { tempFolder } from "../support/data/data-files.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const TEMPLATE = "TEMPLATE";

/** Version kinds of each order in an aged file. */
export const kindsOfLife = ["created", "edited", "sent", "edited", "edited", "paid", "closed"];

/** Opens a closed data file. The caller must close it. */
export function openFile(dbPath: string): Database.Database {
  const db = new Database(dbPath);
  db.pragma("foreign_keys = OFF");
  keepSealed(db);
  return db;
}

/**
 * Creates a closed data file of orders copied from one that a hub wrote. `orders` maps an age in days to a number of
 * orders. Their references are `D<age>-<number>`.
 */
export async function agedFile(orders: Readonly<Record<number, number>>): Promise<{ dbPath: string; hub: TestHub }> {
  const hub = await startTestHub();
  await serveOne(hub);
  await hub.hub.stop();
  const dbPath = path.join(tempFolder(), "hub.sqlite");
  copyFileSync(hub.dbPath, dbPath);
  await hub.restart();
  const db = openFile(dbPath);
  db.transaction(() => {
    for (const [days, count] of Object.entries(orders)) {
      for (let n = 0; n < count; n += 1) copyLife(db, `D${days}-${n}`, Number(days) * DAY_MS);
    }
    removeTemplate(db);
  })();
  db.close();
  return { dbPath, hub };
}

async function serveOne(hub: TestHub): Promise<void> {
  const till = await hub.terminal({ login: "cashier" });
  const posReference = TEMPLATE;
  let version = 0;
  const put = async (...dishes: string[]): Promise<void> => {
    const lines = dishes.map((id) => ({ id, productId: 101, quantity: 1, unitPrice: 50, total: 50 }));
    const snapshot = terminalSnapshot({ lines });
    version = (await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot })).version ?? 0;
  };
  await put("a");
  await put("a", "b");
  version = (await till.change({ type: "ORDER_SEND", posReference, baseVersion: version })).version ?? 0;
  await put("a", "b", "c");
  await put("a", "b", "c", "d");
  const payments = [{ methodId: 1, amount: 200 }];
  await till.change({ type: "ORDER_PAY", posReference, baseVersion: version, payments });
  till.close();
  const status = async () => (await hub.external().get(`/orders/${TEMPLATE}`)).body.snapshot.status;
  await until("forwarding", async () => (await status()) === "closed");
}

type Row = Record<string, unknown>;

function copyLife(db: Database.Database, posReference: string, ageMs: number): void {
  const rename = (text: unknown) => String(text).replaceAll(TEMPLATE, posReference);
  const rows = (table: string) =>
    db.prepare<[string], Row>(`SELECT * FROM ${table} WHERE pos_reference = ?`).all(TEMPLATE);
  const insert = (table: string, copy: Row): number => {
    // The copied row gets its own seal.
    const { seal: _, ...row } = copy;
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `@${name}`).join(", ")})`;
    return Number(db.prepare<Row>(sql).run(row).lastInsertRowid);
  };
  const seq = Number(db.prepare("UPDATE hub_state SET seq = seq + 1 RETURNING seq").pluck().get());
  let previous: number | null = null;
  for (const row of rows("order_versions")) {
    const body = rename(row["body"]);
    previous = insert("order_versions", {
      ...row,
      id: null,
      pos_reference: posReference,
      at: Number(row["at"]) - ageMs,
      body,
      checksum: crc32(body),
      previous_id: previous,
    });
  }
  for (const row of rows("orders")) {
    const searchText = rename(row["search_text"]).toLowerCase();
    const updatedAt = Number(row["updated_at"]) - ageMs;
    insert("orders", {
      ...row,
      pos_reference: posReference,
      body_id: previous,
      seq,
      search_text: searchText,
      updated_at: updatedAt,
    });
  }
  for (const row of rows("tickets")) {
    const ticket_id = crypto.randomUUID();
    const body = rename(row["body"]).replace(String(row["ticket_id"]), ticket_id);
    const sent_at = Number(row["sent_at"]) - ageMs;
    insert("tickets", { ...row, id: null, ticket_id, pos_reference: posReference, seq, is_over: 1, sent_at, body });
    insert("ticket_orders", { pos_reference: posReference, ticket_id });
  }
  for (const row of rows("hub_events")) {
    insert("hub_events", { ...row, id: null, pos_reference: posReference });
  }
}

function removeTemplate(db: Database.Database): void {
  for (const table of ["orders", "order_versions", "tickets", "ticket_orders", "hub_events"]) {
    db.prepare(`DELETE FROM ${table} WHERE pos_reference = ?`).run(TEMPLATE);
  }
}
