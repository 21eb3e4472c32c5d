import { renameSync } from "node:fs";
import type Database from "better-sqlite3";
import type { World } from "../platform/world.ts";
import { removeDatabase, syncFile, syncFolderOf } from "./files/files.ts";
import { migrate as schema } from "./migrations/0001-schema.ts";
import { createPrivate } from "./files/private-files.ts";
import { registerSeal } from "./rows/seal.ts";
import { isSealed, keepSealed, markBroken, sealRows, stopSealing } from "./integrity/sealed-tables.ts";
import { withDatabase } from "./files/with-database.ts";

export type Migration = (db: Database.Database, world: World) => void;

/** Migrations, forward only and never edited once shipped. The index of each is its schema version minus one. */
export const shipped: readonly Migration[] = [schema];

export const newestVersion = shipped.length;

/**
 * Migrates the schema in one transaction and recomputes the seals for the new schema. Afterwards the connection seals the
 * rows that it writes.
 */
export function migrate(db: Database.Database, world: World, migrations: readonly Migration[] = shipped): void {
  registerSeal(db);
  const from = Number(db.pragma("user_version", { simple: true }));
  stopSealing(db);
  db.transaction(() => {
    if (from >= migrations.length && isSealed(db)) return;
    markBroken(db);
    for (const [index, step] of migrations.entries()) {
      if (index < from) continue;
      step(db, world);
      db.pragma(`user_version = ${index + 1}`);
      world.log.info({ schema: index + 1 }, "data file migrated");
    }
    sealRows(db);
  })();
  keepSealed(db);
}

/**
 * Creates an empty data file. The file gets its name only when its schema is complete and durable, so that no data file
 * ever lacks a schema, even if its write-ahead log is lost. `generation` numbers its history and must be above that of
 * every backup in its backup folder.
 */
export function createDataFile(file: string, world: World, generation = 0): void {
  const fresh = `${file}.new`;
  removeDatabase(fresh);
  createPrivate(fresh);
  withDatabase(fresh, {}, (db) => {
    // Must precede the first table. Without it the file never shrinks when retention deletes rows.
    db.pragma("auto_vacuum = INCREMENTAL");
    migrate(db, world);
    db.prepare("UPDATE hub_state SET generation = ?").run(generation);
    // Switched to WAL mode now, because a power cut during a later switch could leave it half done.
    db.pragma("journal_mode = WAL");
  });
  syncFile(fresh);
  renameSync(fresh, file);
  syncFolderOf(file);
}
