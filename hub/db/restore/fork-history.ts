import { constants, existsSync } from "node:fs";
import { HOUR_MS } from "@comanda/protocol";
import Database from "better-sqlite3";
import { isDiskFull } from "../../platform/error-facts.ts";
import type { World } from "../../platform/world.ts";
import { carryOver, raiseCounter, type ReplacedRead } from "./carry-over.ts";
import { removeDatabase } from "../files/files.ts";
import { type FormerEpoch, KNOWN_AS_LOST, readFormerEpochs, writeFormerEpochs } from "./former-epochs.ts";
import { isBehind, type LastSeen, readPlace } from "../last-seen.ts";
import { migrate } from "../migrate.ts";
import { copyPrivate } from "../files/private-files.ts";
import { withDatabase } from "../files/with-database.ts";

export interface Fork {
  world: World;
  /** The user who requested the restore; null if it was requested without a sign-in. */
  by: string | null;
  /** The backup that `file` is a copy of. */
  backup: string;
  /** The data file that the backup replaces. It may be missing (null) or damaged, and is never written to. */
  replaced: string | null;
  /** The position of that file according to the note beside it. */
  lastSeen: LastSeen | null;
  /** The number of the new history. Above that of every backup in the backup folder. */
  generation: number;
  /** Where the replaced file is kept afterwards, if it is moved. */
  aside?: string;
}

/** More ids than the lost part of a history can have used. */
const ID_JUMP = 1_000_000;
/** More versions than an order or a plugin record can get within one history. */
const VERSION_JUMP = 1_000;
/** Upper limit of ticket numbers per order type and day. Without this limit each jump would double the next one. */
const NUMBERS_PER_DAY = 1_000;
/** A jump raises the counter to a multiple of this, and by at least this much. */
const NUMBER_STEP = 100;

/**
 * Migrates `file`, the copy of a backup that is about to become the data file, and starts a new history in it. A new epoch
 * makes every terminal do a full SYNC, no id or number is used twice, and data that the backup lacks is carried over or
 * recorded as lost.
 */
export function forkHistory(file: string, fork: Fork): void {
  const { world, by, backup, replaced, lastSeen, generation, aside } = fork;
  withDatabase(file, {}, (db) => {
    migrate(db, world);
    withReadableCopy(replaced, `${file}.replaced`, world, (replacedDb) => {
      const now = world.clock.now();
      db.transaction(() => {
        const before = historiesOf(db, replacedDb, lastSeen);
        const { generation: former } = readPlace(db);
        const next = Math.max(generation, before.generation + 1);
        const place = {
          isEarlier: replacedDb !== null && hasLess(replacedDb, readPlace(db)),
          isShort: replacedDb !== null && lastSeen !== null && hasLess(replacedDb, lastSeen),
        };
        // A copy made during a group commit may contain rows whose seq is above that of hub_state.
        db.prepare(`
          UPDATE hub_state SET epoch = @epoch, is_clean = 1, generation = @generation, seq = max(seq,
            (SELECT coalesce(max(seq), 0) FROM orders), (SELECT coalesce(max(seq), 0) FROM removed_orders),
            (SELECT coalesce(max(seq), 0) FROM tables), (SELECT coalesce(max(seq), 0) FROM plugin_records),
            (SELECT coalesce(max(seq), 0) FROM tills))`).run({
          epoch: world.random.uuid(),
          generation: next,
        });
        writeFormerEpochs(db, before.epochs);
        const unread = replaced === null ? "none" : "no";
        const read = replacedDb === null ? unread : carryOver(db, replacedDb, now, place);
        // An outage that the backup remembers is over.
        db.prepare("DELETE FROM remembered WHERE name = 'outage'").run();
        const restore = { cause: "restore", by, backup, replaced: replaced && (aside ?? replaced), read } as const;
        beginHistory(db, now, restore, read === "whole" ? replacedDb : null, next - former);
      })();
    });
    // Makes it one self-contained file, because it is renamed without its write-ahead log.
    db.pragma("journal_mode = DELETE");
  });
}

/** Whether a file is behind `seen`; also true if its position cannot be read. */
function hasLess(file: Database.Database, seen: LastSeen): boolean {
  try {
    return isBehind(readPlace(file), seen);
  } catch {
    return true;
  }
}

/**
 * Returns the epochs of the restored and the replaced file, with their ends marked as lost, and the highest generation of this
 * hub, which headquarters may know.
 */
function historiesOf(
  restored: Database.Database,
  replaced: Database.Database | null,
  lastSeen: LastSeen | null,
): { epochs: FormerEpoch[]; generation: number } {
  const own = readPlace(restored);
  const places = [own];
  const formerEpochs = readFormerEpochs(restored);
  try {
    const place = replaced === null ? null : readPlace(replaced);
    if (replaced !== null && place?.hubId === own.hubId) {
      places.push(place);
      formerEpochs.push(...readFormerEpochs(replaced));
    }
  } catch {
    // The damaged file is read as far as possible.
  }
  if (lastSeen?.hubId === own.hubId) places.push(lastSeen);
  return {
    epochs: [...formerEpochs, ...places].map(({ epoch }) => ({ epoch, seq: KNOWN_AS_LOST })),
    generation: Math.max(...places.map(({ generation }) => generation)),
  };
}

/**
 * Starts a new history when the end of the file's own history was lost, for example after a power cut. Runs in the caller's
 * transaction. No id or number is used twice, and open orders are looked up at the back-office.
 */
export function noteLostTail(db: Database.Database, world: World): void {
  const lostTail = { cause: "lost_tail", by: null, backup: null, replaced: null, read: "none" } as const;
  beginHistory(db, world.clock.now(), lostTail, null, 1);
  // From now on, a terminal that saw lost changes does not prove a new loss.
  writeFormerEpochs(
    db,
    readFormerEpochs(db).map(({ epoch }) => ({ epoch, seq: KNOWN_AS_LOST })),
  );
}

interface Restore {
  cause: "restore" | "lost_tail";
  by: string | null;
  backup: string | null;
  replaced: string | null;
  read: ReplacedRead;
}

/**
 * Raises ids and numbers above those used since the backup, and records the restore. `reference` is a file with all of these
 * numbers, or null. `histories` counts the histories that may have begun at this backup, including the new one.
 */
function beginHistory(
  db: Database.Database,
  now: number,
  restore: Restore,
  reference: Database.Database | null,
  histories: number,
): void {
  raiseSequence(db, reference, "webhook_deliveries", now);
  raiseSequence(db, reference, "chain_facts", now);
  const events = raiseSequence(db, reference, "hub_events", now);
  if (reference === null) jumpOverUnknown(db, now, histories);
  db.prepare(`
    INSERT INTO restores (at, cause, by_name, backup, replaced, replaced_read, events_after, events_skipped)
    VALUES (@now, @cause, @by, @backup, @replaced, @read, @after, @skipped)`).run({ ...restore, ...events, now });
  // Open orders may have been paid, and waiting events may have been forwarded: only the back-office knows.
  db.exec(`
    INSERT OR REPLACE INTO lookup_questions (pos_reference, why)
      SELECT pos_reference, 'waiting' FROM hub_events WHERE forwarded = 0;
    INSERT OR REPLACE INTO lookup_questions (pos_reference, why)
      SELECT pos_reference, 'open' FROM orders WHERE is_active = 1;
    UPDATE print_jobs SET state = 'unknown', has_begun = 1, is_open = 1, error = 'restored'
      WHERE state IN ('held', 'waiting', 'printing');`);
  // Headquarters may know an outcome that was lost here, and may not know one that was carried over.
  db.exec(`
    INSERT INTO chain_facts (at, kind, body, is_money)
      SELECT since, 'proposal', outcome, 0 FROM chain_proposals
      WHERE is_open = 1 OR outcome NOT IN (SELECT body FROM chain_facts WHERE kind = 'proposal') ORDER BY rank`);
}

/** Raises the last id of a table. Returns the last id before the gap and the number of skipped ids. */
function raiseSequence(
  db: Database.Database,
  reference: Database.Database | null,
  table: string,
  now: number,
): { after: number; skipped: number } {
  const after = readSequence(db, table) ?? 0;
  // The same backup may be restored twice. The time in ms grows faster than ids, so it is above all ids used since.
  const minimum = reference === null ? now : (readSequence(reference, table) ?? 0);
  const seq = Math.max(after, minimum) + ID_JUMP;
  const sql =
    readSequence(db, table) === undefined
      ? "INSERT INTO sqlite_sequence (name, seq) VALUES (@table, @seq)"
      : "UPDATE sqlite_sequence SET seq = @seq WHERE name = @table";
  db.prepare(sql).run({ table, seq });
  return { after, skipped: seq - after };
}

function readSequence(db: Database.Database, table: string): number | undefined {
  return db.prepare<[string], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table)?.seq;
}

/** Raises ticket numbers and versions above those that each of the `histories` can have used. */
function jumpOverUnknown(db: Database.Database, now: number, histories: number): void {
  const busiest = db.prepare<[string], number | null>("SELECT max(last) FROM ticket_counters WHERE order_type = ?");
  const counted = db.prepare<[string, string], number>(
    "SELECT last FROM ticket_counters WHERE order_type = ? AND day = ?",
  );
  const stepAbove = (used: number): number => Math.ceil(used / NUMBER_STEP) * NUMBER_STEP + NUMBER_STEP;
  for (const orderType of ["takeout", "delivery"]) {
    const busiestDay = Math.min(NUMBERS_PER_DAY, busiest.pluck().get(orderType) ?? 0);
    for (const day of daysAt(now)) {
      // Today may already have used as many numbers as the busiest day.
      const used = (counted.pluck().get(orderType, day) ?? 0) + busiestDay;
      raiseCounter(db, { orderType, day, last: stepAbove(used) + (histories - 1) * stepAbove(busiestDay) });
    }
  }
  const jump = histories * VERSION_JUMP;
  db.prepare(`
    INSERT INTO version_floors (pos_reference, version) SELECT pos_reference, version + ? FROM orders WHERE is_active = 1
    ON CONFLICT (pos_reference) DO UPDATE SET version = max(version, excluded.version)`).run(jump);
  db.prepare("UPDATE plugin_records SET version = version + ?").run(jump);
}

/** Returns the current dates (YYYY-MM-DD) across all time zones: a backup does not contain the restaurant's time zone. */
function daysAt(now: number): string[] {
  return [...new Set([-12, 0, 14].map((hours) => new Date(now + hours * HOUR_MS).toISOString().slice(0, 10)))];
}

/** Opens a temporary copy of a data file and its write-ahead log for `work`. Passes null if the file cannot be read. */
function withReadableCopy(
  replaced: string | null,
  copy: string,
  world: World,
  work: (replacedDb: Database.Database | null) => void,
): void {
  let replacedDb: Database.Database | null = null;
  try {
    try {
      removeDatabase(copy);
      if (replaced !== null) {
        for (const suffix of ["", "-wal"]) {
          if (!existsSync(replaced + suffix)) continue;
          copyPrivate(replaced + suffix, copy + suffix, constants.COPYFILE_FICLONE);
        }
        replacedDb = new Database(copy, { fileMustExist: true });
        replacedDb.prepare("SELECT 1 FROM sqlite_schema").get();
        migrateAside(replacedDb, world);
      }
    } catch (error) {
      // A full disk aborts the restore: without the replaced file, money and numbers would be used twice.
      if (isDiskFull(error)) throw error;
      replacedDb?.close();
      replacedDb = null;
      world.log.warn({ err: error, replaced }, "the data file that is set aside cannot be read");
    }
    work(replacedDb);
  } finally {
    replacedDb?.close();
    removeDatabase(copy);
  }
}

/** Migrates the copy to the current schema. If it is too damaged for that, it is read in its own schema. */
function migrateAside(replacedDb: Database.Database, world: World): void {
  try {
    migrate(replacedDb, world);
  } catch (error) {
    world.log.warn({ err: error }, "the data file that is set aside is read in its own schema");
  }
}

/** Adds an epoch that a terminal has proven to be one of this hub's, so that the terminal may offer its orders. */
export function noteFormerEpoch(db: Database.Database, epoch: string): void {
  writeFormerEpochs(db, [...readFormerEpochs(db), { epoch, seq: KNOWN_AS_LOST }]);
}

/** Gives the data file a new epoch and records the last seq of the previous one. */
export function forkEpoch(db: Database.Database, world: World): void {
  const { epoch, seq } = readPlace(db);
  writeFormerEpochs(db, [...readFormerEpochs(db), { epoch, seq }]);
  db.prepare("UPDATE hub_state SET epoch = ?").run(world.random.uuid());
}
