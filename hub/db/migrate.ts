import { renameSync } from "node:fs";
import type Database from "better-sqlite3";
import type { World } from "../platform/world.ts";
import { removeDatabase, syncFile, syncFolderOf } from "./files/files.ts";
import * as init from "./migrations/0001-init.ts";
import * as evidence from "./migrations/0002-evidence.ts";
import * as restores from "./migrations/0003-restores.ts";
import * as deviceKeys from "./migrations/0004-device-keys.ts";
import * as endedSessions from "./migrations/0005-ended-sessions.ts";
import * as webhookSafety from "./migrations/0006-webhook-safety.ts";
import * as years from "./migrations/0007-years.ts";
import * as webhookEvents from "./migrations/0008-webhook-events.ts";
import * as orderCounts from "./migrations/0009-order-counts.ts";
import * as kitchenTickets from "./migrations/0010-kitchen-tickets.ts";
import * as tenders from "./migrations/0011-tenders.ts";
import * as fiscalNumbers from "./migrations/0012-fiscal-numbers.ts";
import * as people from "./migrations/0013-people.ts";
import * as joinedTables from "./migrations/0014-joined-tables.ts";
import * as setAsideUntil from "./migrations/0015-set-aside-until.ts";
import * as confirmedPeople from "./migrations/0016-confirmed-people.ts";
import * as foldedSearch from "./migrations/0017-folded-search.ts";
import * as packedTickets from "./migrations/0018-packed-tickets.ts";
import * as heldEvents from "./migrations/0019-held-events.ts";
import * as seals from "./migrations/0020-seals.ts";
import * as terminalSessions from "./migrations/0021-terminal-sessions.ts";
import * as gatheredEvents from "./migrations/0022-gathered-events.ts";
import * as webhookCredentials from "./migrations/0023-webhook-credentials.ts";
import * as guessing from "./migrations/0024-guessing.ts";
import * as actorWindows from "./migrations/0025-actor-windows.ts";
import * as webhookQueries from "./migrations/0026-webhook-queries.ts";
import * as keptChanges from "./migrations/0027-kept-changes.ts";
import * as settledChecks from "./migrations/0028-settled-checks.ts";
import * as refunds from "./migrations/0029-refunds.ts";
import { createPrivate } from "./files/private-files.ts";
import { registerSeal } from "./rows/seal.ts";
import { isSealed, keepSealed, markBroken, sealRows, stopSealing } from "./integrity/sealed-tables.ts";
import { withDatabase } from "./files/with-database.ts";

/** Forward only and never edited once shipped; the index of each is its schema version minus one. */
const migrations: readonly ((db: Database.Database, world: World) => void)[] = [
  init.migrate,
  evidence.migrate,
  restores.migrate,
  deviceKeys.migrate,
  endedSessions.migrate,
  webhookSafety.migrate,
  years.migrate,
  webhookEvents.migrate,
  orderCounts.migrate,
  kitchenTickets.migrate,
  tenders.migrate,
  fiscalNumbers.migrate,
  people.migrate,
  joinedTables.migrate,
  setAsideUntil.migrate,
  confirmedPeople.migrate,
  foldedSearch.migrate,
  packedTickets.migrate,
  heldEvents.migrate,
  seals.migrate,
  terminalSessions.migrate,
  gatheredEvents.migrate,
  webhookCredentials.migrate,
  guessing.migrate,
  actorWindows.migrate,
  webhookQueries.migrate,
  keptChanges.migrate,
  settledChecks.migrate,
  refunds.migrate,
];

export const newestVersion = migrations.length;

/** The first schema version whose rows are sealed. */
const SEALED_SINCE = 20;

/**
 * Brings the schema up to date, or to an earlier version, in one transaction: the seals of its rows are made for the
 * schema that comes out of it. From here on the connection seals what it writes.
 */
export function migrate(db: Database.Database, world: World, version = newestVersion): void {
  registerSeal(db);
  const from = Number(db.pragma("user_version", { simple: true }));
  stopSealing(db);
  db.transaction(() => {
    if (from >= version && (from < SEALED_SINCE || isSealed(db))) return;
    markBroken(db);
    for (const [index, step] of migrations.slice(0, version).entries()) {
      if (index < from) continue;
      step(db, world);
      db.pragma(`user_version = ${index + 1}`);
      world.log.info({ schema: index + 1 }, "data file migrated");
    }
    if (version >= SEALED_SINCE) sealRows(db);
  })();
  keepSealed(db);
}

/**
 * Makes an empty data file. It gets its name when its schema is whole and durable, so that from its first moment no data
 * file is without one, whatever becomes of a write-ahead log.
 */
export function createDataFile(file: string, world: World): void {
  const fresh = `${file}.new`;
  removeDatabase(fresh);
  createPrivate(fresh);
  withDatabase(fresh, {}, (db) => {
    // Before the first table; without it the file never gives back what retention frees.
    db.pragma("auto_vacuum = INCREMENTAL");
    migrate(db, world);
    // Turned to its log before anybody opens it: turning later is a write that a power cut can leave half done.
    db.pragma("journal_mode = WAL");
  });
  syncFile(fresh);
  renameSync(fresh, file);
  syncFolderOf(file);
}
