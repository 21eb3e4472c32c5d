import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { StartError } from "../platform/errors.ts";
import { realWorld } from "../platform/world.ts";
import { listBackups } from "./backups/backup-files.ts";
import { backupBeforeMigration } from "./backups/make-backup.ts";
import { checkAll } from "./integrity/check.ts";
import { smallDisk } from "../test/support/data/small-disk.ts";
import { createDataFile, migrate, type Migration, newestVersion, shipped } from "./migrate.ts";

const world = realWorld(pino({ level: "silent" }));

/** A migration that a later release could contain. */
const next: Migration = (db) => db.exec("ALTER TABLE unapplied_payments ADD COLUMN seen_at INTEGER");

function fileWithPayments(): Database.Database {
  const db = new Database(":memory:");
  migrate(db, world);
  const add = db.prepare(`
    INSERT INTO unapplied_payments (mutation_id, pos_reference, terminal_id, user_name, error_code, error, body, at)
    VALUES (?, 'A', 't', 'u', 'CONFLICT', 'e', '{}', 1)`);
  for (const id of ["good", "damaged"]) add.run(id);
  return db;
}

it("a migration keeps the file's content, and rows damaged before it are still reported [DB-30]", () => {
  const db = fileWithPayments();
  expect(checkAll(db).ok).toBe(true);
  db.exec("UPDATE unapplied_payments SET seal = seal + 1 WHERE mutation_id = 'damaged'");
  migrate(db, world, [...shipped, next]);
  expect(db.pragma("user_version", { simple: true })).toBe(newestVersion + 1);
  expect(db.prepare("SELECT mutation_id, seen_at FROM unapplied_payments ORDER BY id").raw().all()).toEqual([
    ["good", null],
    ["damaged", null],
  ]);
  expect(checkAll(db).detail).toContain("1 of unapplied_payments");
  // The seal now covers the new column.
  db.exec("UPDATE unapplied_payments SET seen_at = 5 WHERE mutation_id = 'good'");
  expect(checkAll(db).detail).toContain("1 of unapplied_payments");
});

it("a failed migration changes nothing [DB-30]", () => {
  const db = fileWithPayments();
  const failing: Migration = (file) => {
    next(file, world);
    throw new Error("no room");
  };
  expect(() => migrate(db, world, [...shipped, failing])).toThrow("no room");
  expect(db.pragma("user_version", { simple: true })).toBe(newestVersion);
  expect(db.pragma("table_info(unapplied_payments)")).not.toContainEqual(expect.objectContaining({ name: "seen_at" }));
  migrate(db, world);
  expect(checkAll(db).ok).toBe(true);
});

/** Opens a data file whose latest write is only in its write-ahead log; `dir` is its backup folder. */
function fileBeforeUpdate() {
  const folder = mkdtempSync(path.join(tmpdir(), "before-update-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "hub.sqlite");
  createDataFile(file, world);
  const db = new Database(file, { timeout: 200 });
  onTestFinished(() => void db.close());
  db.exec("CREATE TABLE written (text TEXT); INSERT INTO written VALUES ('in the log')");
  return { db, file, dir: path.join(folder, "backups") };
}

const update = { newest: newestVersion + 1 };

it("the data file is copied before a migration, including its write-ahead log [DB-172]", () => {
  const { db, file, dir } = fileBeforeUpdate();
  backupBeforeMigration(db, { ...update, newest: newestVersion, file, dir });
  expect(listBackups(dir)).toEqual([]);
  backupBeforeMigration(db, { ...update, file, dir });
  const [copy, ...others] = listBackups(dir);
  expect([copy?.kind, others]).toEqual(["before-migration", []]);
  const copied = new Database(copy!.path, { readonly: true });
  expect(copied.prepare("SELECT text FROM written").pluck().get()).toBe("in the log");
  copied.close();
  // The backup is self-contained: reading it creates no other files.
  expect(readdirSync(dir)).toEqual([copy?.name]);
});

it("a start that cannot make the copy before a migration names the folder and changes nothing [DB-172]", () => {
  const { db, file, dir } = fileBeforeUpdate();
  writeFileSync(dir, "no folder");
  const before = readdirSync(path.dirname(file));
  const backup = () => backupBeforeMigration(db, { ...update, file, dir });
  expect(backup).toThrow(StartError);
  expect(backup).toThrow(`The data file cannot be copied to ${dir} (HUB_BACKUP_DIR) before the update: `);
  expect(readdirSync(path.dirname(file))).toEqual(before);
  const disk = smallDisk(path.join(path.dirname(file), "full"));
  if (!disk.isReal) return;
  disk.fillCompletely();
  const onDisk = () => backupBeforeMigration(db, { ...update, file, dir: disk.folder });
  expect(onDisk).toThrow("its disk is full");
  const known = JSON.stringify({ folder: disk.folder, dbPath: file, facts: { isSameDisk: false } });
  db.prepare("INSERT INTO remembered (name, value, at) VALUES ('backupFolder', ?, 1)").run(known);
  disk.unmount();
  expect(onDisk).toThrow(`the disk of ${disk.folder} is not there; put that right, or name another folder.`);
});

it("a repeated or blocked start makes no further copy of an unchanged file [DB-172]", () => {
  const { db, file, dir } = fileBeforeUpdate();
  const write = () => db.exec("INSERT INTO written VALUES ('and more')");
  const backup = () => backupBeforeMigration(db, { ...update, file, dir });
  const reader = new Database(file);
  onTestFinished(() => void reader.close());
  reader.exec("BEGIN; SELECT * FROM written");
  write();
  expect(backup).toThrow("is in use by another program");
  expect(listBackups(dir)).toEqual([]);
  reader.exec("COMMIT");
  backup();
  backup();
  expect(listBackups(dir)).toHaveLength(1);
  // The former version was started again and has written.
  write();
  backup();
  expect(listBackups(dir)).toHaveLength(2);
});
