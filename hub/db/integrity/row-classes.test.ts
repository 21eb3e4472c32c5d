import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { checkAll } from "./check.ts";
import { openMemory } from "../open.ts";
import { rowClasses } from "./row-classes.ts";
import { isSealed, keepSealed, markBroken, sealRows, soundRow, stopSealing } from "./sealed-tables.ts";

const world = realWorld(pino({ level: "silent" }));
type Db = ReturnType<typeof openMemory>;

const sealed = Object.entries(rowClasses).flatMap(([table, rows]) =>
  rows.kind === "unsealed" ? [] : [{ table, rows }],
);

interface Column {
  name: string;
  type: string;
}

const columnsOf = (db: Db, table: string): Column[] =>
  db.prepare<[string], Column>("SELECT name, type FROM pragma_table_info(?)").all(table);

/** Returns two different values that are valid for a column. */
function values({ name, type }: Column): [unknown, unknown] {
  if (name === "state") return ["pending", "failed"];
  if (type === "TEXT") return ["[1]", "[2]"];
  return type === "BLOB" ? [Buffer.from([200]), Buffer.from([201])] : [1, 2];
}

/** Inserts a row with a value in each column, if the table is empty. */
function fill(db: Db, table: string): void {
  const columns = columnsOf(db, table).filter(({ name }) => name !== "seal");
  if (table === "seals") db.exec("DELETE FROM seals WHERE table_name <> 'takings'");
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  if (db.prepare(`SELECT 1 FROM "${table}"`).get() !== undefined) return;
  db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => "?").join(", ")})`).run(
    columns.map((column) => values(column)[0]),
  );
}

const unsound = (db: Db, table: string): number =>
  Number(
    db
      .prepare(`SELECT count(*) FROM "${table}" WHERE NOT ${soundRow(db, table)}`)
      .pluck()
      .get(),
  );

describe("tables and columns of the data file", () => {
  it("every table is in a class: sealed, a copy, or of no consequence [DB-120]", () => {
    const db = openMemory(world);
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all();
    const missing = tables.filter((table) => rowClasses[table] === undefined);
    const help =
      "add each of them to hub/db/integrity/row-classes.ts as sealed, copy or unsealed; nothing else is needed";
    expect(missing, `these tables are in no class: ${help}`).toEqual([]);
    const absent = Object.keys(rowClasses).filter((table) => !tables.includes(table));
    expect(absent, "hub/db/integrity/row-classes.ts names tables that the data file does not have").toEqual([]);
    const unknown = sealed.flatMap(({ table, rows }) => {
      const columns = columnsOf(db, table).map(({ name }) => name);
      return Object.keys(rows.except ?? {}).flatMap((column) =>
        columns.includes(column) ? [] : [`${table}.${column}`],
      );
    });
    expect(unknown, "hub/db/integrity/row-classes.ts leaves out columns that the tables do not have").toEqual([]);
  });

  it.each(sealed)(
    "a change in $table is noticed, except in columns of no consequence [DB-120, DB-121]",
    ({ table, rows }) => {
      const db = openMemory(world);
      fill(db, table);
      expect(unsound(db, table)).toBe(0);
      // From here on rows change without being resealed, as on a faulty disk.
      stopSealing(db);
      const unnoticed = columnsOf(db, table).filter((column) => {
        const name = `"${column.name}"`;
        db.exec("SAVEPOINT change");
        db.pragma("ignore_check_constraints = ON");
        const [before, other] = values(column);
        db.prepare(`UPDATE "${table}" SET ${name} = iif(${name} IS ?, ?, ?)`).run(before, other, before);
        const found = unsound(db, table);
        db.exec("ROLLBACK TO change; RELEASE change");
        return found === 0;
      });
      const exempt = Object.keys(rows.except ?? {});
      expect(unnoticed.map(({ name }) => name).toSorted()).toEqual(exempt.toSorted());
    },
  );
});

describe("damaged rows", () => {
  function damaged(): Db {
    const db = openMemory(world);
    db.exec("INSERT INTO fiscal_requests (pos_reference, state, type, changed_at) VALUES ('A', 'pending', 'B01', 1)");
    stopSealing(db);
    db.exec("UPDATE fiscal_requests SET type = 'B02'");
    return db;
  }

  it("a damaged row is reported with its table [DB-121]", () => {
    expect(checkAll(damaged())).toEqual({
      ok: false,
      isBroken: false,
      detail: "1 stored records are damaged: 1 of fiscal_requests",
    });
  });

  it("a damaged row stays damaged when another part of it is written [DB-122]", () => {
    const db = damaged();
    keepSealed(db);
    db.exec("UPDATE fiscal_requests SET state = 'failed'");
    expect(checkAll(db).ok).toBe(false);
    db.exec("UPDATE fiscal_requests SET type = 'B01', state = 'pending'");
    expect(checkAll(db).ok).toBe(false);
  });

  it("a schema change keeps damaged rows damaged and sound rows sound [DB-122]", () => {
    const db = damaged();
    fill(db, "takings");
    db.exec("UPDATE takings SET seal = NULL");
    expect(isSealed(db)).toBe(true);
    markBroken(db);
    expect(checkAll(db).detail).toContain("1 of takings");
    db.exec("UPDATE takings SET seal = NULL; ALTER TABLE takings ADD COLUMN more TEXT");
    expect(isSealed(db)).toBe(false);
    sealRows(db);
    expect(isSealed(db)).toBe(true);
    expect(checkAll(db).detail).toBe("1 stored records are damaged: 1 of fiscal_requests");
  });
});
