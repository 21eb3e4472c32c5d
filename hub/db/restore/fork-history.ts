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
  /** The user who asked for the restore; null when it came without a sign-in. */
  by: string | null;
  /** The backup that `file` is a copy of. */
  backup: string;
  /** The data file that is set aside for it; it may be missing or damaged, and is never written to. */
  replaced: string | null;
  /** How far that file had come, by the note beside it. */
  lastSeen: LastSeen | null;
  /** The number of this history among those of this hub: above that of every backup in its folder. */
  generation: number;
  /** Where that file is kept from then on, if that is another place. */
  aside?: string;
}

/** More ids than a lost stretch of history can have used. */
const ID_JUMP = 1_000_000;
/** More versions than anybody writes of one order, or of one plugin record, in one history. */
const VERSION_JUMP = 1_000;
/** More ticket numbers of a type than a day has: without it each jump would double the next one. */
const NUMBERS_A_DAY = 1_000;
/** Numbers begin again at a hundred, and as many are left out. */
const NUMBER_STEP = 100;

/**
 * Makes `file`, the copy of a backup that is about to become the data file, a history of its own, in the present schema: a
 * new epoch sends every terminal back to a full SYNC, no id or number is given twice, and what the backup lacks is noted
 * down.
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
        // A copy made in the middle of a commit group may hold rows whose seq was not yet counted.
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
        // What the backup knows of an outage of the line is over.
        db.prepare("DELETE FROM remembered WHERE name = 'outage'").run();
        const restore = { cause: "restore", by, backup, replaced: replaced && (aside ?? replaced), read } as const;
        beginHistory(db, now, restore, read === "whole" ? replacedDb : null, next - former);
      })();
    });
    // One self-contained file: what becomes the data file is renamed without a journal.
    db.pragma("journal_mode = DELETE");
  });
}

/** Whether a file has less in it than was seen elsewhere; also where it does not say. */
function hasLess(file: Database.Database, seen: LastSeen): boolean {
  try {
    return isBehind(readPlace(file), seen);
  } catch {
    return true;
  }
}

/**
 * The epochs of the restored file and of the one that is set aside: what terminals know of them was lost, or is here. And the
 * highest number that a history of this hub had, as headquarters may know it.
 */
function historiesOf(
  restored: Database.Database,
  replaced: Database.Database | null,
  lastSeen: LastSeen | null,
): { epochs: FormerEpoch[]; generation: number } {
  const own = readPlace(restored);
  const places = [own];
  const known = readFormerEpochs(restored);
  try {
    const place = replaced === null ? null : readPlace(replaced);
    if (replaced !== null && place?.hubId === own.hubId) {
      places.push(place);
      known.push(...readFormerEpochs(replaced));
    }
  } catch {
    // As far as the file can be read.
  }
  if (lastSeen?.hubId === own.hubId) places.push(lastSeen);
  return {
    epochs: [...known, ...places].map(({ epoch }) => ({ epoch, seq: KNOWN_AS_LOST })),
    generation: Math.max(...places.map(({ generation }) => generation)),
  };
}

/**
 * To be called where the end of the file's own history was lost, as after a power cut, inside the caller's transaction:
 * no id or number is given twice, and what is open has to be asked for at the back-office.
 */
export function noteLostTail(db: Database.Database, world: World): void {
  const lostTail = { cause: "lost_tail", by: null, backup: null, replaced: null, read: "none" } as const;
  beginHistory(db, world.clock.now(), lostTail, null, 1);
  // Another terminal that saw what was lost proves nothing new.
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
 * `known` is a file with every number used since; null when there is none. `histories` is how many there may have been since
 * what is in the file: this one, and those that began at the same backup before.
 */
function beginHistory(
  db: Database.Database,
  now: number,
  restore: Restore,
  known: Database.Database | null,
  histories: number,
): void {
  raiseSequence(db, known, "webhook_deliveries", now);
  raiseSequence(db, known, "chain_facts", now);
  const events = raiseSequence(db, known, "hub_events", now);
  if (known === null) jumpOverUnknown(db, now, histories);
  db.prepare(`
    INSERT INTO restores (at, cause, by_name, backup, replaced, replaced_read, events_after, events_skipped)
    VALUES (@now, @cause, @by, @backup, @replaced, @read, @after, @skipped)`).run({ ...restore, ...events, now });
  // What is open here may have been paid, and what waits may have been forwarded: only the back-office knows.
  db.exec(`
    INSERT OR REPLACE INTO lookup_questions (pos_reference, why)
      SELECT pos_reference, 'waiting' FROM hub_events WHERE forwarded = 0;
    INSERT OR REPLACE INTO lookup_questions (pos_reference, why)
      SELECT pos_reference, 'open' FROM orders WHERE is_active = 1;
    UPDATE print_jobs SET state = 'unknown', has_begun = 1, is_open = 1, error = 'restored'
      WHERE state IN ('held', 'waiting', 'printing');`);
  // Headquarters may have heard of an end that was lost here, and not of one that was taken from the file set aside.
  db.exec(`
    INSERT INTO chain_facts (at, kind, body, is_money)
      SELECT since, 'proposal', outcome, 0 FROM chain_proposals
      WHERE is_open = 1 OR outcome NOT IN (SELECT body FROM chain_facts WHERE kind = 'proposal') ORDER BY rank`);
}

/** Answers the last id before the gap and how many ids it has. */
function raiseSequence(
  db: Database.Database,
  known: Database.Database | null,
  table: string,
  now: number,
): { after: number; skipped: number } {
  const after = readSequence(db, table) ?? 0;
  // The same backup may be restored twice: milliseconds since 1970 pass faster than ids are given.
  const least = known === null ? now : (readSequence(known, table) ?? 0);
  const seq = Math.max(after, least) + ID_JUMP;
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

/** When it is not known which numbers were used, they continue far above: above those of each history since. */
function jumpOverUnknown(db: Database.Database, now: number, histories: number): void {
  const busiest = db.prepare<[string], number | null>("SELECT max(last) FROM ticket_counters WHERE order_type = ?");
  const counted = db.prepare<[string, string], number>(
    "SELECT last FROM ticket_counters WHERE order_type = ? AND day = ?",
  );
  const stepAbove = (given: number): number => Math.ceil(given / NUMBER_STEP) * NUMBER_STEP + NUMBER_STEP;
  for (const orderType of ["takeout", "delivery"]) {
    const most = Math.min(NUMBERS_A_DAY, busiest.pluck().get(orderType) ?? 0);
    for (const day of daysAt(now)) {
      // Today may already have had as many as the busiest day ever.
      const given = (counted.pluck().get(orderType, day) ?? 0) + most;
      raiseCounter(db, { orderType, day, last: stepAbove(given) + (histories - 1) * stepAbove(most) });
    }
  }
  const jump = histories * VERSION_JUMP;
  db.prepare(`
    INSERT INTO version_floors (pos_reference, version) SELECT pos_reference, version + ? FROM orders WHERE is_active = 1
    ON CONFLICT (pos_reference) DO UPDATE SET version = max(version, excluded.version)`).run(jump);
  db.prepare("UPDATE plugin_records SET version = version + ?").run(jump);
}

/** The calendar days (YYYY-MM-DD) that it is somewhere: a backup does not tell the restaurant's time zone. */
function daysAt(now: number): string[] {
  return [...new Set([-12, 0, 14].map((hours) => new Date(now + hours * HOUR_MS).toISOString().slice(0, 10)))];
}

/** Opens a copy of a data file with what lies in its journal, and removes it afterwards; null when that cannot be. */
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
        bringUpToDate(replacedDb, world);
      }
    } catch (error) {
      // Without it money and numbers would come back twice: nothing is restored.
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

/** The copy is read in the present schema; where it is too damaged for that, what can be read is read as it is. */
function bringUpToDate(replacedDb: Database.Database, world: World): void {
  try {
    migrate(replacedDb, world);
  } catch (error) {
    world.log.warn({ err: error }, "the data file that is set aside is read in its own schema");
  }
}

/** A terminal has proven that history had this epoch, too: what it has of it may be offered. */
export function noteFormerEpoch(db: Database.Database, epoch: string): void {
  writeFormerEpochs(db, [...readFormerEpochs(db), { epoch, seq: KNOWN_AS_LOST }]);
}

/** Gives the data file a new epoch and remembers where the one before ended. */
export function forkEpoch(db: Database.Database, world: World): void {
  const { epoch, seq } = readPlace(db);
  writeFormerEpochs(db, [...readFormerEpochs(db), { epoch, seq }]);
  db.prepare("UPDATE hub_state SET epoch = ?").run(world.random.uuid());
}
