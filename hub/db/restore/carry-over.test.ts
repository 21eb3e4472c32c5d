import fs, { copyFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it } from "vitest";
import { tempFolder } from "../../test/support/data/data-files.ts";
import { realWorld } from "../../platform/world.ts";
import { createDataFile, migrate } from "../migrate.ts";
import { CARRIED_REFUNDS } from "./carry-refunds.ts";
import { restoreNow } from "./staged-restore.ts";

const world = realWorld(pino({ level: "silent" }));

/** Creates a data file that tests write to directly, and backups that are restored while no hub runs. */
function startDataFile() {
  const dbPath = path.join(tempFolder(), "hub.sqlite");
  const backupDir = path.join(path.dirname(dbPath), "backups");
  createDataFile(dbPath, world);

  function inFile<T>(work: (db: Database.Database) => T): T {
    const db = new Database(dbPath);
    try {
      migrate(db, world);
      return work(db);
    } finally {
      db.close();
    }
  }

  return {
    /** Runs `sql` and increments seq, as any commit of a hub does. */
    write: (sql: string): void => inFile((db) => void db.exec(`${sql}; UPDATE hub_state SET seq = seq + 1`)),
    read: (sql: string): unknown[] => inFile((db) => db.prepare(sql).pluck().all()),
    /** Makes a backup now and returns a function that restores it. */
    backUp(): () => void {
      const backup = path.join(tempFolder(), "backup.sqlite");
      inFile((db) => void db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
      copyFileSync(dbPath, backup);
      return () => void restoreNow({ dbPath, backupDir }, backup, "manager", world);
    },
  };
}

it("a restore carries the audit log over in order, despite a clock set back or a second restore [OP-568]", () => {
  const { write, read, backUp } = startDataFile();
  const log = (at: number, action: string, subject = "A"): void =>
    write(`INSERT INTO audit_log (at, user_name, action, subject) VALUES (${at}, 'Ana', '${action}', '${subject}')`);
  log(100, "before");
  const restore = backUp();
  log(110, "key.create");
  log(40, "key.delete");
  log(41, "fiscal.dismiss");
  log(42, "key.create");
  restore();
  const actions = ["before", "key.create", "key.delete", "fiscal.dismiss", "key.create"];
  expect(read("SELECT action FROM audit_log ORDER BY id")).toEqual(actions);
  restore();
  expect(read("SELECT action FROM audit_log ORDER BY id")).toEqual(actions);
});

it("a restore keeps a webhook's last secret [EXT-100]", () => {
  const { write, read, backUp } = startDataFile();
  const subscribe = (id: string): void =>
    write(`
      INSERT INTO webhook_subscriptions (id, url, events, is_enabled, created_by, created_at, secret, gathered_from)
      VALUES ('${id}', 'http://203.0.113.9', '["*"]', 1, 'hub', 1, 'first of ${id}', 7)`);
  for (const id of ["kept", "renewed", "ended"]) subscribe(id);
  const restore = backUp();
  subscribe("added");
  write("UPDATE webhook_subscriptions SET secret = 'new one', is_enabled = 0 WHERE id = 'renewed'");
  write("UPDATE webhook_subscriptions SET deleted_at = 2 WHERE id = 'ended'");
  restore();
  const facts = "json_array(id, secret, is_enabled, gathered_from)";
  expect(read(`SELECT ${facts} FROM webhook_subscriptions WHERE deleted_at IS NULL ORDER BY id`)).toEqual([
    '["added","first of added",1,null]',
    '["kept","first of kept",1,7]',
    '["renewed","new one",0,7]',
  ]);
});

it("a second restore still has refunds that are not on their checks yet [FISC-319]", () => {
  const { write, read, backUp } = startDataFile();
  const restore = backUp();
  write(`
    INSERT INTO refunds (refund_id, pos_reference, state, is_in_doubt, asks_all, in_contingency, body, at, made_at)
    VALUES ('r', 'A', 'made', 0, 1, 0, '{"ncf":"E340000000001","refund":[]}', 1, 1)`);
  restore();
  const carried = `SELECT value FROM remembered WHERE name = '${CARRIED_REFUNDS}'`;
  expect(read(carried)).toEqual(['["A"]']);
  backUp()();
  expect(read(carried)).toEqual(['["A"]']);
});

it("nothing is restored without the space to read the replaced file [REST-139]", () => {
  const { write, read, backUp } = startDataFile();
  const restore = backUp();
  write("INSERT INTO ticket_counters (order_type, day, last) VALUES ('takeout', '2026-11-20', 7)");
  const { copyFileSync } = fs;
  fs.copyFileSync = (from, to, mode) => {
    if (String(to).endsWith(".replaced")) throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    copyFileSync(from, to, mode);
  };
  syncBuiltinESMExports();
  try {
    expect(restore).toThrow("no space left");
  } finally {
    fs.copyFileSync = copyFileSync;
    syncBuiltinESMExports();
  }
  expect(read("SELECT replaced_read FROM restores")).toEqual([]);
  expect(read("SELECT last FROM ticket_counters")).toEqual([7]);
  restore();
  expect(read("SELECT replaced_read FROM restores")).toEqual(["whole"]);
});

it("a damaged row of the replaced file is not carried over as sound [REST-140]", () => {
  const { write, read, backUp } = startDataFile();
  const restore = backUp();
  const key = (id: string): void =>
    write(`
      INSERT INTO external_keys (key_id, digest, label, scopes, is_enabled, created_at)
      VALUES ('${id}', 'digest of ${id}', '', '["read"]', 1, 1)`);
  key("sound");
  key("damaged");
  write("UPDATE external_keys SET scopes = '[\"admin\"]', seal = 1 WHERE key_id = 'damaged'");
  restore();
  expect(read("SELECT key_id FROM external_keys")).toEqual(["sound"]);
});

it("a restore carries over the last sold-out states [REST-161]", () => {
  const { write, read, backUp } = startDataFile();
  const insert = (productId: string, seq: number, isAvailable: 0 | 1): void =>
    write(`
      INSERT OR REPLACE INTO item_states (product_id, seq, since, is_available, body)
      VALUES ('${productId}', ${seq}, 1, ${isAvailable}, '{}')`);
  insert("7", 1, 0);
  const restore = backUp();
  insert("7", 2, 1);
  insert("8", 3, 0);
  restore();
  expect(read("SELECT product_id || ' ' || is_available FROM item_states ORDER BY product_id")).toEqual(["7 1", "8 0"]);
  // Distinct seqs up to that of hub_state: terminals receive each state once, and headquarters split messages by seq.
  expect(read("SELECT max(seq) <= (SELECT seq FROM hub_state) FROM item_states")).toEqual([1]);
  expect(read("SELECT count(DISTINCT seq) FROM item_states")).toEqual([2]);
});
