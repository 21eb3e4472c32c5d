import type Database from "better-sqlite3";

/**
 * A value of a row in a copy of a life: unchanged, or a number or text that differs from copy to copy.
 * - `time`: ms since 1970, `delta` after version number `at` was written
 * - `text`: `literals[0] + slot + literals[1] + …`; its slots are indexes into the copy's texts
 * - `id`: the row id of version number `of` (null for the one before the first)
 * - `seq`: the position of version number `of` in the shared state
 */
export type Cell =
  | { kind: "as is"; value: string | number | Buffer | null }
  | { kind: "time"; at: number; delta: number }
  | { kind: "text"; literals: string[]; slots: number[] }
  | { kind: "id"; of: number | null }
  | { kind: "seq"; of: number };

export interface RowTemplate {
  table: string;
  cells: Cell[];
  /** Index of the column with the CRC-32 of the column `body`, and the index of `body`; null in tables without them. */
  sealed: { checksum: number; body: number } | null;
}

/** A text that differs from copy to copy. Times are encoded as in `time` above. */
export type Slot =
  | { kind: "reference"; check: number; lower: boolean }
  | { kind: "ticket"; lower: boolean }
  | { kind: "iso" | "sql"; at: number; delta: number }
  | { kind: "uuid" }
  | { kind: "seq"; of: number };

/**
 * One order from its first version to its end, as templates of the rows that the hub wrote for it. Includes the checks that
 * were split off from it, which have their own tickets.
 */
export interface Life {
  references: string[];
  isActive: boolean;
  orderType: string;
  /** When each version was written (ms since 1970), over all checks of this life, in the order of writing. */
  writtenAt: number[];
  slots: Slot[];
  versions: RowTemplate[];
  /** All other rows that the hub wrote: the order itself, its tickets, events, audit entries. */
  others: RowTemplate[];
  mutations: RowTemplate[];
}

/** How to find one order's rows in tables without a column `pos_reference`. */
const found: Readonly<Record<string, string>> = {
  forward_attempts: "event_id IN (SELECT id FROM hub_events WHERE pos_reference IN (SELECT value FROM json_each(?)))",
  audit_log: "subject IN (SELECT value FROM json_each(?))",
  mutations: `EXISTS (SELECT 1 FROM json_each(?) WHERE instr(answer, '"posReference":"' || value || '"') > 0)`,
};

/** Tables that hold only the present state. */
const present: readonly string[] = [
  "seals",
  "hub_state",
  // Derived from the other tables by the database itself.
  "order_counts",
  "tables",
  "leases",
  "ticket_counters",
  "terminals",
  "identities",
  "ended_sessions",
  "remembered",
  "people",
  "pin_misses",
  "device_people",
  "hourly_counts",
  "terminal_sessions",
  "actor_tokens",
  "customers",
  "item_states",
];

/** Columns that hold the row id of a version. */
const versionIds: readonly string[] = ["body_id", "last_id", "previous_id"];
/** Integers from here on are times in ms; ids and amounts are smaller. */
const FIRST_TIME = 1_500_000_000_000;
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

type Row = Record<string, string | number | Buffer | null>;

/** Returns a table's columns in order, without hidden and computed ones. */
export function columnsOf(db: Database.Database, table: string): string[] {
  return (db.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name);
}

/** Returns the tables, besides `order_versions`, that have rows for every order. */
export function lifeTables(db: Database.Database): string[] {
  const names = (column: string): boolean => column === "pos_reference";
  return tablesOf(db).filter(
    (table) =>
      table in found || (!present.includes(table) && table !== "order_versions" && columnsOf(db, table).some(names)),
  );
}

/**
 * Reads the lives that a hub has written into a data file. Throws if the hub has also filled a table that the multiplication
 * does not know, since the result would not be a file as a hub writes it.
 */
export function readLives(db: Database.Database): Life[] {
  const known = ["order_versions", ...present, ...lifeTables(db)];
  for (const table of tablesOf(db).filter((name) => !known.includes(name))) {
    const rows = Number(db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
    if (rows > 0) throw new Error(`the hub fills the table ${table} (${rows} rows), and bench/year does not`);
  }
  const references = db
    .prepare<[], string>("SELECT pos_reference FROM order_versions GROUP BY pos_reference ORDER BY min(id)")
    .pluck()
    .all();
  const sentBy = db
    .prepare<[string], string>(`
      SELECT t.pos_reference FROM ticket_orders o JOIN tickets t USING (ticket_id) WHERE o.pos_reference = ? LIMIT 1`)
    .pluck();
  const lives = Map.groupBy(references, (reference) => sentBy.get(reference) ?? reference);
  return [...lives.values()].map((checks) => readLife(db, checks));
}

function tablesOf(db: Database.Database): string[] {
  return db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
}

const OF_CHECKS = "pos_reference IN (SELECT value FROM json_each(?))";

function readLife(db: Database.Database, references: string[]): Life {
  const [reference = ""] = references;
  const checks = JSON.stringify(references);
  const versions = db.prepare<[string], Row>(`SELECT * FROM order_versions WHERE ${OF_CHECKS} ORDER BY id`).all(checks);
  const writtenAt = versions.map((row) => Number(row["at"]));
  const body = JSON.parse(String(versions[0]?.["body"])) as { snapshot: { orderType: string; ticketNumber?: string } };
  const compiler = createCompiler({ references, ticket: body.snapshot.ticketNumber ?? null, writtenAt, versions });
  const ids = new Map(versions.map((row, index) => [row["id"], index]));

  const template = (table: string, row: Row, own: number): RowTemplate => {
    const columns = columnsOf(db, table);
    const cells = columns.map((column): Cell => {
      const value = row[column] ?? null;
      if (table === "order_versions" && column === "id") return { kind: "id", of: own };
      // Null here, because each copy gets its own seal.
      if (column === "seal") return { kind: "as is", value: null };
      // Null here, because SQLite numbers the rows of all other tables itself.
      if (column === "id" && typeof value === "number") return { kind: "as is", value: null };
      if (versionIds.includes(column)) return { kind: "id", of: value === null ? null : (ids.get(value) ?? null) };
      if (column === "seq") return { kind: "seq", of: own };
      if (typeof value === "number" && value >= FIRST_TIME) return { kind: "time", ...compiler.timeOf(value) };
      if (typeof value === "string") return compiler.textOf(value, own);
      if (Buffer.isBuffer(value))
        throw new Error(`${table}.${column} of ${reference} is packed: lives are read unpacked`);
      return { kind: "as is", value };
    });
    const [checksum, bodyColumn] = [columns.indexOf("checksum"), columns.indexOf("body")];
    return { table, cells, sealed: checksum >= 0 && bodyColumn >= 0 ? { checksum, body: bodyColumn } : null };
  };
  const rowsOf = (table: string): RowTemplate[] =>
    db
      .prepare<[string], Row>(`SELECT * FROM "${table}" WHERE ${found[table] ?? OF_CHECKS}`)
      .all(checks)
      .map((row) => {
        const own = versions.findLastIndex((version) => version["pos_reference"] === row["pos_reference"]);
        return template(table, row, own < 0 ? versions.length - 1 : own);
      });
  if (rowsOf("forward_attempts").length > 0)
    throw new Error(`${reference} was forwarded in several attempts: that is no plain life`);
  const isActive = db.prepare("SELECT is_active FROM orders WHERE pos_reference = ?").pluck().get(reference) === 1;
  return {
    references,
    isActive,
    orderType: body.snapshot.orderType,
    writtenAt,
    slots: compiler.slots,
    versions: versions.map((row, index) => template("order_versions", row, index)),
    others: lifeTables(db)
      .filter((table) => table !== "mutations")
      .flatMap(rowsOf),
    mutations: rowsOf("mutations"),
  };
}

/** Compiles the texts of a life: finds the parts that differ from copy to copy. */
function createCompiler(life: {
  references: readonly string[];
  ticket: string | null;
  writtenAt: readonly number[];
  versions: readonly Row[];
}) {
  const { references, ticket, writtenAt, versions } = life;
  const slots: Slot[] = [];
  const known = new Map<string, number>();
  const checks = references.map((reference) => reference.toLowerCase());
  // Longest first: the reference of a split-off check begins with that of the original check.
  const words = [...references, ticket]
    .flatMap((word) => (word === null ? [] : [escape(word)]))
    .toSorted((one, other) => other.length - one.length)
    .join("|");
  const variable = new RegExp(
    `(?<word>${words})|(?<iso>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)` +
      `|(?<="(?<field>createdAt|updatedAt)":")(?<sql>\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)|(?<uuid>${UUID})` +
      `|(?<="posReference":"(?<check>[^"]+)","version":(?<version>\\d+),"seq":)(?<seq>\\d+)`,
    "gi",
  );

  function slotOf(key: string, slot: Slot): number {
    const index = known.get(key) ?? slots.push(slot) - 1;
    known.set(key, index);
    return index;
  }

  /** Expresses a time relative to the version that was written at it, or last before it. */
  function timeOf(ms: number): { at: number; delta: number } {
    const after = writtenAt.findIndex((written) => written > ms);
    const at = Math.max(0, after < 0 ? writtenAt.length - 1 : after - 1);
    return { at, delta: ms - (writtenAt[at] ?? ms) };
  }

  function slotOfMatch({ 0: text, groups = {} }: RegExpExecArray, own: number): number {
    const { word, iso, sql, field, uuid, check: named, version } = groups;
    if (word !== undefined) {
      const lower = word === word.toLowerCase();
      const check = checks.indexOf(word.toLowerCase());
      if (check >= 0) return slotOf(`reference ${check} ${lower}`, { kind: "reference", check, lower });
      return slotOf(`ticket ${lower}`, { kind: "ticket", lower });
    }
    if (iso !== undefined) {
      const time = timeOf(Date.parse(iso));
      return slotOf(`iso ${time.at} ${time.delta}`, { kind: "iso", ...time });
    }
    // Whole seconds do not identify a version: `createdAt` belongs to the check's first one, other times to their own.
    const check = versions[own]?.["pos_reference"];
    const at = field === "createdAt" ? versions.findIndex((row) => row["pos_reference"] === check) : own;
    if (sql !== undefined) return slotOf(`sql ${at}`, { kind: "sql", at, delta: 0 });
    if (uuid !== undefined) return slotOf(`uuid ${uuid}`, { kind: "uuid" });
    const of = versions.findIndex((row) => row["pos_reference"] === named && row["version"] === Number(version));
    return slotOf(`seq ${of} ${text}`, { kind: "seq", of });
  }

  return {
    slots,
    timeOf,
    textOf(text: string, own: number): Cell {
      const literals: string[] = [];
      const used: number[] = [];
      let from = 0;
      for (const match of text.matchAll(variable)) {
        literals.push(text.slice(from, match.index));
        used.push(slotOfMatch(match, own));
        from = match.index + match[0].length;
      }
      if (used.length === 0) return { kind: "as is", value: text };
      literals.push(text.slice(from));
      return { kind: "text", literals, slots: used };
    },
  };
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
