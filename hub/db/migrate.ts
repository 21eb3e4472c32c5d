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

/** Forward only and never edited once shipped; the index of each is its schema version minus one. */
export const shipped: readonly Migration[] = [schema];

export const newestVersion = shipped.length;

/**
 * Brings the schema up to date in one transaction: the seals of its rows are made for the schema that comes out of it. From
 * here on the connection seals what it writes.
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
 * Makes an empty data file. It gets its name when its schema is whole and durable, so that from its first moment no data
 * file is without one, whatever becomes of a write-ahead log. `generation` is the number of its history: above that of
 * every backup that lies where its own will.
 */
export function createDataFile(file: string, world: World, generation = 0): void {
  const fresh = `${file}.new`;
  removeDatabase(fresh);
  createPrivate(fresh);
  withDatabase(fresh, {}, (db) => {
    // Before the first table; without it the file never gives back what retention frees.
    db.pragma("auto_vacuum = INCREMENTAL");
    migrate(db, world);
    db.prepare("UPDATE hub_state SET generation = ?").run(generation);
    // Turned to its log before anybody opens it: turning later is a write that a power cut can leave half done.
    db.pragma("journal_mode = WAL");
  });
  syncFile(fresh);
  renameSync(fresh, file);
  syncFolderOf(file);
}
