import type { Database } from "better-sqlite3";

/** How SQLite would carry a statement out, a line for each step; whatever its parameters are bound to. */
export function planOf(db: Database, sql: string): string[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null] as const);
  const places = [...sql.matchAll(/\?/g)].map(() => null);
  const parameters = names.length > 0 ? [Object.fromEntries(names)] : places;
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
  return rows.map(({ detail }) => detail);
}

/**
 * The steps of a plan that read one of these tables (named as the statement names it) from end to end. An index of
 * `boundedIndexes` may be read whole: it holds only what is active.
 */
export function fullScansOf(
  plan: readonly string[],
  largeTables: readonly string[],
  boundedIndexes: readonly string[] = [],
): string[] {
  return plan.filter((step) => {
    const [, table, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? [];
    return table !== undefined && largeTables.includes(table) && !boundedIndexes.includes(index ?? "");
  });
}

/** The indexes that hold only some of the rows of their table. */
export function partialIndexes(db: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'";
  return db.prepare<[], string>(sql).pluck().all();
}

/** Every statement that is prepared while `work` runs. */
export function statementsOf(db: Database, work: () => unknown): string[] {
  const sources: string[] = [];
  const { prepare } = db;
  db.prepare = ((sql: string) => {
    sources.push(sql);
    return prepare.call(db, sql);
  }) as typeof db.prepare;
  try {
    work();
  } finally {
    db.prepare = prepare;
  }
  return sources;
}
