import type Database from "better-sqlite3";
import { carryLosses, listLost, noteUnlisted } from "./carry-losses.ts";
import { carryRefunds } from "./carry-refunds.ts";
import { carryTills } from "./carry-tills.ts";
import { copyRows, type Row, takeTables } from "./copy-rows.ts";
import { DISMISSED, isDismissed } from "../rows/dismissed-receipt.ts";
import { isDiskFull } from "../../platform/error-facts.ts";
import { soundRow } from "../integrity/sealed-tables.ts";

/** How much of the replaced data file could be read; `none` if there was no such file. */
export type ReplacedRead = "whole" | "partly" | "no" | "none";

/** The position of the replaced file relative to the backup and to its own past. */
interface ReplacedPlace {
  /** The file is behind the backup or belongs to another hub. */
  isEarlier: boolean;
  /** The file is behind what its hub had written to it. */
  isShort: boolean;
}

/**
 * Copies the data that needs no decision from the replaced file: used numbers, plugin records, payments and changes that wait
 * for a manager, sessions. Records missing orders as losses. Returns how much of the file could be read.
 */
export function carryOver(
  db: Database.Database,
  replaced: Database.Database,
  now: number,
  { isEarlier, isShort }: ReplacedPlace,
): ReplacedRead {
  const carries = [
    carryLosses,
    // Before `carryReceipts`, which copies only dismissals, so that the log keeps its order.
    ...(isEarlier ? [] : [carryAuditLog]),
    carryNumbers,
    carryFiscalNumbers,
    carryRefunds,
    carryReceipts,
    carryFirstKey,
    carryPluginRecords,
    carryPayments,
    carryKeptChanges,
    // These replace the rows of the backup.
    ...(isEarlier
      ? []
      : [carryTills, carrySessions, ...lastTables.map(taking), carryItemStates, carryWebhooks, carryChainLink]),
  ];
  const carried = carries.map((carry) => {
    try {
      carry(db, replaced, now);
      return true;
    } catch (error) {
      // Unreadable data does not affect the rest, but a full disk aborts the restore.
      if (isDiskFull(error)) throw error;
      return false;
    }
  });
  const { listed, isWhole, isListed } = listLost(db, replaced, now);
  if (!isListed || carried[0] === false) noteUnlisted(db, now);
  if (isWhole && carried.every(Boolean) && !isEarlier && !isShort) return "whole";
  return listed > 0 || carried.some(Boolean) ? "partly" : "no";
}

function taking(tables: readonly string[]) {
  return (db: Database.Database, replaced: Database.Database): void => takeTables(db, replaced, tables);
}

/** Keeps the link to headquarters: it belongs to this computer, not to the restored history. */
function carryChainLink(db: Database.Database, replaced: Database.Database): void {
  const columns = "id, address, enrolled, public_key, seed, at, by_name";
  db.transaction(() => {
    db.exec("DELETE FROM chain_link");
    copyRows(db, replaced, "chain_link", { columns });
  })();
}

function carryNumbers(db: Database.Database, replaced: Database.Database): void {
  const counters = replaced.prepare<[], { orderType: string; day: string; last: number }>(
    "SELECT order_type AS orderType, day, last FROM ticket_counters",
  );
  for (const counter of counters.all()) raiseCounter(db, counter);
}

/** Carries over fiscal numbers issued after the backup, so that they are not issued again. */
function carryFiscalNumbers(db: Database.Database, replaced: Database.Database): void {
  const keep = db.prepare<Row>("INSERT OR IGNORE INTO order_ncf (ncf, pos_reference) VALUES (@ncf, @pos_reference)");
  for (const row of replaced.prepare<[], Row>("SELECT ncf, pos_reference FROM order_ncf").all()) keep.run(row);
}

/** Carries over contingency numbers, which an electronic one must still replace, and receipts that a manager has dismissed. */
function carryReceipts(db: Database.Database, replaced: Database.Database): void {
  copyAuditLog(db, replaced, `action = '${DISMISSED}'`);
  copyRows(db, replaced, "fiscal_requests", {
    columns: "pos_reference, state, type, ncf, changed_at",
    only: "state = 'contingency'",
  });
  db.exec(`
    DELETE FROM fiscal_requests
    WHERE state IN ('contingency', 'unsigned', 'rejected', 'conflict') AND ${isDismissed("pos_reference", "ncf")}`);
}

/** Carries over the whole audit log, even for changes that the restore undoes. */
function carryAuditLog(db: Database.Database, replaced: Database.Database): void {
  copyAuditLog(db, replaced);
}

/** Copies missing entries. Compares whole entries, not only times: the clock may have been set back since the backup. */
function copyAuditLog(db: Database.Database, replaced: Database.Database, only = "true"): void {
  const columns = "at, user_name, action, subject, detail";
  const rows = db.prepare(`SELECT ${columns} FROM audit_log WHERE ${only}`).all();
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  copyRows(db, replaced, "audit_log", { columns, only, accepts: (row) => !known.has(JSON.stringify(row)) });
}

/** Carries over whether an API key ever existed, which decides what the health report contains. */
function carryFirstKey(db: Database.Database, replaced: Database.Database): void {
  const hasHadKey = replaced.prepare("SELECT has_had_key FROM hub_state").pluck().get() === 1;
  if (hasHadKey) db.prepare("UPDATE hub_state SET has_had_key = 1").run();
}

/** Carries over plugin records: they belong to the integrations, and their versions must never decrease. */
function carryPluginRecords(db: Database.Database, replaced: Database.Database): void {
  const upsert = db.prepare(`
    INSERT INTO plugin_records (plugin_id, key, payload, version, created_at, updated_at, expires_at, is_removed, seq)
    VALUES (@plugin_id, @key, @payload, @version, @created_at, @updated_at, @expires_at, @is_removed,
      (SELECT seq FROM hub_state))
    ON CONFLICT (plugin_id, key) DO UPDATE SET payload = excluded.payload, version = excluded.version,
      created_at = excluded.created_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
      is_removed = excluded.is_removed, seq = excluded.seq
    WHERE excluded.version > version`);
  for (const record of replaced.prepare("SELECT * FROM plugin_records").all()) upsert.run(record);
}

/** Carries over unapplied payments and the managers' decisions on them. Notes copied payments as recovered losses. */
function carryPayments(db: Database.Database, replaced: Database.Database, now: number): void {
  const note = db.prepare(`
    INSERT INTO losses (kind, pos_reference, version, sources, known_at, known_by, body, checksum, found_at, state,
      settled_at, settled_by)
    VALUES ('payment', @pos_reference, 0, '["replaced_file"]', @at, @user_name, NULL, NULL, @now, 'taken_over', @now,
      'hub')`);
  carryForManager(db, replaced, {
    table: "unapplied_payments",
    content: "mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at",
    decision: ["settled_at", "settled_by", "settled_note"],
    onCopy: (row) => void note.run({ ...row, now }),
  });
}

/** Carries over changes made under a revoked token, and the managers' decisions on them. */
function carryKeptChanges(db: Database.Database, replaced: Database.Database): void {
  carryForManager(db, replaced, {
    table: "kept_changes",
    content: "mutation_id, digest, terminal_id, user_name, error, body, queued_at, at",
    decision: ["settled_at", "settled_how", "settled_by", "settled_note"],
  });
}

/** Copies rows that wait for a manager, and decisions on them, once per mutation id. */
function carryForManager(
  db: Database.Database,
  replaced: Database.Database,
  about: { table: string; content: string; decision: readonly string[]; onCopy?: (row: Row) => void },
): void {
  const { table, content, decision, onCopy = () => {} } = about;
  const existing = db.prepare<Row>(`SELECT 1 FROM ${table} WHERE mutation_id = @mutation_id`);
  const sameId = db.prepare<Row>(`SELECT 1 FROM ${table} WHERE id = @id`);
  const settle = db.prepare(`
    UPDATE ${table} SET ${decision.map((column) => `${column} = @${column}`).join(", ")}
    WHERE mutation_id = @mutation_id AND settled_at IS NULL`);
  const isSound = replaced.prepare<Row>(`SELECT 1 FROM ${table} WHERE id = @id AND ${soundRow(replaced, table)}`);
  copyRows(db, replaced, table, {
    columns: `id, ${content}, ${decision.join(", ")}`,
    accepts(row) {
      if (isSound.get(row) === undefined) throw new Error(`a row of ${table} does not match its checksum`);
      if (existing.get(row) === undefined) return true;
      if (row["settled_at"] !== null) settle.run(row);
      return false;
    },
    change(row) {
      onCopy(row);
      return sameId.get(row) === undefined ? row : { ...row, id: null };
    },
  });
}

/**
 * Carries over sessions: ended ones stay ended, those opened since the backup stay valid, and users keep the roles that were
 * confirmed last. Does nothing if the digest keys of the files differ.
 */
function carrySessions(db: Database.Database, replaced: Database.Database): void {
  const keyOf = (of: Database.Database) => of.prepare<[], Buffer>("SELECT digest_key FROM hub_state").pluck().get();
  const key = keyOf(replaced);
  if (key === undefined || keyOf(db)?.equals(key) !== true) return;
  copyRows(db, replaced, "ended_sessions", { columns: "digest, ended_at" });
  copyRows(db, replaced, "terminal_sessions", { columns: "digest, user_id, used_at" });
  const isKnown = replaced.prepare<Row>("SELECT 1 FROM identities WHERE digest = @digest");
  const forget = db.prepare<Row>("DELETE FROM identities WHERE digest = @digest");
  for (const row of db.prepare<[], Row>("SELECT digest FROM identities").all()) {
    if (isKnown.get(row) === undefined) forget.run(row);
  }
  const isSound = replaced.prepare<Row>(
    `SELECT 1 FROM identities WHERE digest = @digest AND ${soundRow(replaced, "identities")}`,
  );
  copyRows(db, replaced, "identities", {
    columns: "digest, identity, confirmed_at, session",
    accepts(row) {
      if (isSound.get(row) === undefined) return false;
      forget.run(row);
      return true;
    },
  });
}

/**
 * Tables that are taken from the replaced file, each group completely or not at all. Actor tokens, reset PINs, deleted
 * terminals, API keys and reported counts of unsent changes thus stay as they were last. Jobs printed since the backup are
 * reprinted only as copies; pending ones are left to a person.
 */
const lastTables: readonly (readonly string[])[] = [
  ["terminals", "people", "pin_misses", "hourly_counts", "device_people", "actor_tokens", "customers"],
  ["external_keys"],
  ["print_jobs"],
];

/** Carries over the availability of items with the proposals of headquarters that may have changed it, so that both match. */
function carryItemStates(db: Database.Database, replaced: Database.Database): void {
  takeTables(db, replaced, ["item_states", "chain_proposals"]);
  // Each row gets its own seq, because messages to headquarters are split by seq.
  db.exec(`
    UPDATE item_states SET seq = numbered.seq FROM (
      SELECT product_id, row_number() OVER (ORDER BY i.seq) + h.seq AS seq FROM item_states i, hub_state h) AS numbered
      WHERE numbered.product_id = item_states.product_id;
    UPDATE hub_state SET seq = seq + (SELECT count(*) FROM item_states);`);
}

/** Ends subscriptions that were deleted since the backup, and adds new ones, which receive only events from now on. */
function carryWebhooks(db: Database.Database, replaced: Database.Database, now: number): void {
  const columns = "id, url, events, is_enabled, created_by, created_at, secret, credentials";
  const live = "SELECT id FROM webhook_subscriptions WHERE deleted_at IS NULL";
  const isLive = new Set(replaced.prepare<[], string>(live).pluck().all());
  const end = db.prepare<[number, string]>(`
    UPDATE webhook_subscriptions SET deleted_at = ?, is_enabled = 0, gathered_from = NULL, gathered_to = NULL
    WHERE id = ?`);
  const known = new Set(db.prepare<[], string>(live).pluck().all());
  for (const id of known) if (!isLive.has(id)) end.run(now, id);
  const renew = db.prepare<Row>(
    "UPDATE webhook_subscriptions SET is_enabled = @is_enabled, secret = @secret WHERE id = @id",
  );
  copyRows(db, replaced, "webhook_subscriptions", {
    columns,
    only: `deleted_at IS NULL AND ${soundRow(replaced, "webhook_subscriptions")}`,
    accepts(row) {
      if (!known.has(String(row["id"]))) return true;
      renew.run(row);
      return false;
    },
  });
}

/** Raises a day's counter of ticket numbers to at least `last`. */
export function raiseCounter(db: Database.Database, counter: { orderType: string; day: string; last: number }): void {
  db.prepare(`
    INSERT INTO ticket_counters (order_type, day, last) VALUES (@orderType, @day, @last)
    ON CONFLICT (order_type, day) DO UPDATE SET last = max(last, excluded.last)`).run(counter);
}
