import type Database from "better-sqlite3";
import { carryLosses, listLost, noteUnlisted } from "./carry-losses.ts";
import { carryRefunds } from "./carry-refunds.ts";
import { carryTills } from "./carry-tills.ts";
import { copyRows, type Row, takeTables } from "./copy-rows.ts";
import { DISMISSED, isDismissed } from "../rows/dismissed-receipt.ts";
import { isDiskFull } from "../../platform/error-facts.ts";
import { soundRow } from "../integrity/sealed-tables.ts";

/** How much of the file that was set aside could be read; `none`: there was none. */
export type ReplacedRead = "whole" | "partly" | "no" | "none";

/** How far the file that is set aside had come. */
interface ReplacedPlace {
  /** It has less in it than the backup, or is another hub's. */
  isEarlier: boolean;
  /** It has less in it than its hub had written to it. */
  isShort: boolean;
}

/**
 * Copies from the file that is set aside what needs no decision: numbers in use, plugin records, payments and changes that wait
 * for a manager, sessions. Orders are listed as lost. Returns how much could be read.
 */
export function carryOver(
  db: Database.Database,
  replaced: Database.Database,
  now: number,
  { isEarlier, isShort }: ReplacedPlace,
): ReplacedRead {
  const carries = [
    carryLosses,
    // In its order, with what was dealt with among the rest.
    ...(isEarlier ? [] : [carryAuditLog]),
    carryNumbers,
    carryFiscalNumbers,
    carryRefunds,
    carryReceipts,
    carryFirstKey,
    carryPluginRecords,
    carryPayments,
    carryKeptChanges,
    // These take the place of what the backup has.
    ...(isEarlier
      ? []
      : [carryTills, carrySessions, ...lastTables.map(taking), carryItemStates, carryWebhooks, carryChainLink]),
  ];
  const carried = carries.map((carry) => {
    try {
      carry(db, replaced, now);
      return true;
    } catch (error) {
      // What cannot be read costs itself alone; where there is no space nothing is restored.
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

/** A hub's place in its chain is this computer's, not its history's: it stays as it is. */
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

/** A number that an order got after the backup is used. */
function carryFiscalNumbers(db: Database.Database, replaced: Database.Database): void {
  const keep = db.prepare<Row>("INSERT OR IGNORE INTO order_ncf (ncf, pos_reference) VALUES (@ncf, @pos_reference)");
  for (const row of replaced.prepare<[], Row>("SELECT ncf, pos_reference FROM order_ncf").all()) keep.run(row);
}

/** A number on paper that was given stays to be replaced by an electronic one, and what a manager has dealt with stays so. */
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

/** Who did what is known, whatever became of it. */
function carryAuditLog(db: Database.Database, replaced: Database.Database): void {
  copyAuditLog(db, replaced);
}

/** By what they say, and not by their time: a clock may have been put back since the backup. */
function copyAuditLog(db: Database.Database, replaced: Database.Database, only = "true"): void {
  const columns = "at, user_name, action, subject, detail";
  const rows = db.prepare(`SELECT ${columns} FROM audit_log WHERE ${only}`).all();
  const known = new Set(rows.map((row) => JSON.stringify(row)));
  copyRows(db, replaced, "audit_log", { columns, only, where: (row) => !known.has(JSON.stringify(row)) });
}

/** Whether there was ever an API key decides what the health report contains. */
function carryFirstKey(db: Database.Database, replaced: Database.Database): void {
  const hasHadKey = replaced.prepare("SELECT has_had_key FROM hub_state").pluck().get() === 1;
  if (hasHadKey) db.prepare("UPDATE hub_state SET has_had_key = 1").run();
}

/** They are the integrations' own, and their versions never go back. */
function carryPluginRecords(db: Database.Database, replaced: Database.Database): void {
  const put = db.prepare(`
    INSERT INTO plugin_records (plugin_id, key, payload, version, created_at, updated_at, expires_at, is_removed, seq)
    VALUES (@plugin_id, @key, @payload, @version, @created_at, @updated_at, @expires_at, @is_removed,
      (SELECT seq FROM hub_state))
    ON CONFLICT (plugin_id, key) DO UPDATE SET payload = excluded.payload, version = excluded.version,
      created_at = excluded.created_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
      is_removed = excluded.is_removed, seq = excluded.seq
    WHERE excluded.version > version`);
  for (const record of replaced.prepare("SELECT * FROM plugin_records").all()) put.run(record);
}

/** Money that was taken stays in sight, and what a manager has accounted for is not asked of him again. */
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

/** So does what somebody did under a token that was revoked. */
function carryKeptChanges(db: Database.Database, replaced: Database.Database): void {
  carryForManager(db, replaced, {
    table: "kept_changes",
    content: "mutation_id, digest, terminal_id, user_name, error, body, queued_at, at",
    decision: ["settled_at", "settled_how", "settled_by", "settled_note"],
  });
}

/** Copies what waits for a manager, and what one has decided, each once by its mutation. */
function carryForManager(
  db: Database.Database,
  replaced: Database.Database,
  about: { table: string; content: string; decision: readonly string[]; onCopy?: (row: Row) => void },
): void {
  const { table, content, decision, onCopy = () => {} } = about;
  const known = db.prepare<Row>(`SELECT 1 FROM ${table} WHERE mutation_id = @mutation_id`);
  const isTaken = db.prepare<Row>(`SELECT 1 FROM ${table} WHERE id = @id`);
  const settle = db.prepare(`
    UPDATE ${table} SET ${decision.map((column) => `${column} = @${column}`).join(", ")}
    WHERE mutation_id = @mutation_id AND settled_at IS NULL`);
  const isSound = replaced.prepare<Row>(`SELECT 1 FROM ${table} WHERE id = @id AND ${soundRow(replaced, table)}`);
  copyRows(db, replaced, table, {
    columns: `id, ${content}, ${decision.join(", ")}`,
    where(row) {
      if (isSound.get(row) === undefined) throw new Error(`a row of ${table} does not match its checksum`);
      if (known.get(row) === undefined) return true;
      if (row["settled_at"] !== null) settle.run(row);
      return false;
    },
    change(row) {
      onCopy(row);
      return isTaken.get(row) === undefined ? row : { ...row, id: null };
    },
  });
}

/**
 * Sessions that were signed out or refused after the backup stay dead, those opened since stay alive, their users have the
 * roles that were confirmed last, and those of terminals stay theirs.
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
    where(row) {
      if (isSound.get(row) === undefined) return false;
      forget.run(row);
      return true;
    },
  });
}

/**
 * These are as they were last, each group or none of it. What terminals have signed since the backup stays theirs, what they
 * reported as unsent stays known, and a PIN that was reset or a device that was forgotten stays so; a key that was taken away
 * stays refused, and one that was given is good; what was printed comes out again as a copy, and what was to be is asked about.
 */
const lastTables: readonly (readonly string[])[] = [
  ["terminals", "people", "pin_misses", "hourly_counts", "device_people", "actor_tokens", "customers"],
  ["external_keys"],
  ["print_jobs"],
];

/** What has run out does not come back with the backup, nor do proposals of headquarters that have changed it: both, or neither. */
function carryItemStates(db: Database.Database, replaced: Database.Database): void {
  takeTables(db, replaced, ["item_states", "chain_proposals"]);
  // Each is a change of its own: by their seq headquarters are told where a message ends.
  db.exec(`
    UPDATE item_states SET seq = numbered.seq FROM (
      SELECT product_id, row_number() OVER (ORDER BY i.seq) + h.seq AS seq FROM item_states i, hub_state h) AS numbered
      WHERE numbered.product_id = item_states.product_id;
    UPDATE hub_state SET seq = seq + (SELECT count(*) FROM item_states);`);
}

/** Nobody gets webhooks again who was to get no more, and who was added since gets what happens from now on. */
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
    where(row) {
      if (!known.has(String(row["id"]))) return true;
      renew.run(row);
      return false;
    },
  });
}

/** Ticket numbers of that day go on above `last`. */
export function raiseCounter(db: Database.Database, counter: { orderType: string; day: string; last: number }): void {
  db.prepare(`
    INSERT INTO ticket_counters (order_type, day, last) VALUES (@orderType, @day, @last)
    ON CONFLICT (order_type, day) DO UPDATE SET last = max(last, excluded.last)`).run(counter);
}
