import { renameSync } from "node:fs";
import Database from "better-sqlite3";
import type { World } from "../platform/world.ts";
import { removeDatabase, syncFile, syncFolderOf } from "./files.ts";
import { migrate } from "./migrate.ts";
import { createPrivate } from "./private-files.ts";

/**
 * Makes an empty data file. It gets its name when its schema is whole and durable, so that from its first moment no data
 * file is without one, whatever becomes of a write-ahead log.
 */
export function createDataFile(file: string, world: World): void {
  const fresh = `${file}.new`;
  removeDatabase(fresh);
  createPrivate(fresh);
  const db = new Database(fresh);
  try {
    // Before the first table; without it the file never gives back what retention frees.
    db.pragma("auto_vacuum = INCREMENTAL");
    migrate(db, world);
    // Turned to its log before anybody opens it: turning later is a write that a power cut can leave half done.
    db.pragma("journal_mode = WAL");
  } finally {
    db.close();
  }
  syncFile(fresh);
  renameSync(fresh, file);
  syncFolderOf(file);
}
