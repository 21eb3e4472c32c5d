import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import type Database from "better-sqlite3";
import { keepSealed } from "../../hub/db/integrity/sealed-tables.ts";
import { type Cell, columnsOf, type Life, lifeTables, type RowTemplate } from "./life.ts";

export const ORDERS_A_DAY = 300;
export const DAY_MS = 86_400_000;
/** Length of a restaurant's day: from the first guests' arrival until the last ones leave. */
const OPEN_MS = 13 * 3_600_000;
/** Ms between two versions of an order. An order of 12 versions lives for 55 minutes; some 25 are open at a time. */
const STEP_MS = 300_000;
/** How long a hub remembers the mutations that it has carried out. */
const MUTATION_RETENTION_MS = 7 * DAY_MS;

export interface DaysOptions {
  /** End of the newest day, ms since 1970. */
  now: number;
  /** Days before `now`: written from the oldest, `from`, to `to` (0 is the day that ends at `now`). */
  from: number;
  to: number;
  /** Orders that are begun per day, 300 by default. */
  ordersADay?: number;
}

/** A copy of an order while its versions are being written. */
interface Copy {
  life: Life;
  /** When each version is written, ms since 1970. */
  times: number[];
  texts: string[];
  ids: number[];
  seqs: number[];
}

/** Empties the tables that are multiplied and resets their row ids. */
export function emptyLives(db: Database.Database): void {
  db.pragma("foreign_keys = OFF");
  for (const table of ["order_versions", "ticket_counters", ...lifeTables(db)]) {
    db.exec(`DELETE FROM "${table}"`);
    db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  }
  // Removes the hub's counters of how far its data was aged: this file will have more rows.
  db.exec("DELETE FROM remembered WHERE name = 'ages'");
  db.exec("VACUUM");
}

/** Writes copies of lives with new times, ids and positions in the shared state into a data file that no hub has open. */
export function createMultiplier(db: Database.Database, lives: readonly Life[]) {
  keepSealed(db);
  db.pragma("foreign_keys = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -400000");
  const finished = lives.filter((life) => !life.isActive);
  const active = lives.filter((life) => life.isActive);
  if (finished.length === 0) throw new Error("there is no finished order to multiply");
  const inserts = new Map<string, Database.Statement<unknown[]>>();
  const countTicket = db.prepare<[string, string], { last: number }>(`
    INSERT INTO ticket_counters (order_type, day, last) VALUES (?, ?, 1)
    ON CONFLICT (order_type, day) DO UPDATE SET last = last + 1 RETURNING last`);
  const newestId = db.prepare<[], number>("SELECT coalesce(max(id), 0) FROM order_versions").pluck();
  let nextId = 1;
  const readSeq = (): number => Number(db.prepare("SELECT seq FROM hub_state").pluck().get());
  let seq = readSeq();

  function insert({ table, cells, sealed }: RowTemplate, copy: Copy): void {
    let statement = inserts.get(table);
    if (statement === undefined) {
      const columns = columnsOf(db, table);
      const names = columns.map((column) => `"${column}"`).join(", ");
      statement = db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`);
      inserts.set(table, statement);
    }
    const values = cells.map((cell) => valueOf(cell, copy));
    if (sealed !== null) values[sealed.checksum] = crc32(String(values[sealed.body]));
    statement.run(values);
  }

  function begin(life: Life, start: number, reference: string, stepMs: number): Copy {
    const times = life.writtenAt.map((_, version) => start + version * stepMs);
    const counted = life.orderType === "dine_in" ? null : countTicket.get(life.orderType, localDay(start));
    const ticket = `${life.orderType === "takeout" ? "T" : "D"}-${String(counted?.last ?? 0).padStart(3, "0")}`;
    return { life, times, ids: [], seqs: [], texts: textsOf(life, { reference, ticket, times }) };
  }

  function writeVersion(copy: Copy, version: number): void {
    copy.ids.push(nextId++);
    copy.seqs.push((seq += 1));
    const row = copy.life.versions[version];
    if (row !== undefined) insert(row, copy);
  }

  function finish(copy: Copy, withMutations: boolean): void {
    // Now that every seq is known, texts can name them; only mutations do.
    for (const [index, slot] of copy.life.slots.entries()) {
      if (slot.kind === "seq") copy.texts[index] = String(copy.seqs[slot.of]);
    }
    for (const row of copy.life.others) insert(row, copy);
    if (withMutations) for (const row of copy.life.mutations) insert(row, copy);
  }

  /** Writes all orders of a day concurrently, their versions in the order of their times. */
  function writeDay(day: number, { now, ordersADay = ORDERS_A_DAY }: DaysOptions): void {
    const open = now - day * DAY_MS - OPEN_MS;
    const everyMs = (OPEN_MS - STEP_MS * Math.max(...finished.map((life) => life.versions.length))) / ordersADay;
    const copies: Copy[] = [];
    const steps = Array.from({ length: ordersADay }, (_, n) => {
      const life = finished[(day * ordersADay + n) % finished.length]!;
      return life.versions.map((_version, version) => ({
        at: open + Math.floor((n * everyMs) / 1000) * 1000 + version * STEP_MS,
        n,
        life,
        version,
      }));
    }).flat();
    steps.sort((a, b) => a.at - b.at);
    for (const { at, n, life, version } of steps) {
      const copy = (copies[n] ??= begin(life, at, `Orden ${stampOf(at)}`, STEP_MS));
      writeVersion(copy, version);
      if (version === life.versions.length - 1) finish(copy, day * DAY_MS < MUTATION_RETENTION_MS);
    }
  }

  function commit(work: () => void): void {
    db.exec("BEGIN");
    // Tidying up uses up both row ids and seqs.
    seq = readSeq();
    nextId = (newestId.get() ?? 0) + 1;
    work();
    db.prepare("UPDATE hub_state SET seq = ?").run(seq);
    db.exec("COMMIT");
  }

  return {
    writeDays(options: DaysOptions): void {
      commit(() => {
        for (let day = options.from; day >= options.to; day -= 1) writeDay(day, options);
      });
    },
    /** Writes the orders that are open now, under the references that the tables of this file name. */
    writeActive(now: number): void {
      commit(() => {
        for (const [n, life] of active.entries()) {
          // Each order begins within the last hour, at a different time.
          const copy = begin(life, now - 3_600_000 + n * 60_000, life.references[0] ?? "", 1000);
          for (const version of life.versions.keys()) writeVersion(copy, version);
          finish(copy, true);
        }
      });
    },
  };
}

function valueOf(cell: Cell, copy: Copy): string | number | Buffer | null {
  switch (cell.kind) {
    case "as is":
      return cell.value;
    case "time":
      return (copy.times[cell.at] ?? 0) + cell.delta;
    case "id":
      return cell.of === null ? null : (copy.ids[cell.of] ?? null);
    case "seq":
      return copy.seqs[cell.of] ?? 0;
    case "text":
      return textOf(cell, copy.texts);
  }
}

function textOf({ literals, slots }: Extract<Cell, { kind: "text" }>, texts: readonly string[]): string {
  let text = literals[0] ?? "";
  for (let index = 0; index < slots.length; index += 1) {
    text += texts[slots[index] ?? 0];
    text += literals[index + 1];
  }
  return text;
}

function textsOf(life: Life, copy: { reference: string; ticket: string; times: readonly number[] }): string[] {
  return life.slots.map((slot) => {
    switch (slot.kind) {
      case "reference": {
        const reference = slot.check === 0 ? copy.reference : `${copy.reference}-${slot.check + 1}`;
        return slot.lower ? reference.toLowerCase() : reference;
      }
      case "ticket":
        return slot.lower ? copy.ticket.toLowerCase() : copy.ticket;
      case "iso":
        return isoTime((copy.times[slot.at] ?? 0) + slot.delta);
      case "sql":
        return isoTime((copy.times[slot.at] ?? 0) + slot.delta)
          .slice(0, 19)
          .replace("T", " ");
      case "uuid":
        return randomUUID();
      case "seq":
        return "";
    }
  });
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the calendar day in this machine's time zone, by which a hub counts its takeout numbers. */
function localDay(ms: number): string {
  const date = new Date(ms);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

/** Returns a stamp with second precision; no two orders begin within the same second. */
function stampOf(ms: number): string {
  return isoTime(ms).slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}
