import type { Database } from "better-sqlite3";

/** Returns SQLite's query plan of a statement, a line per step, with all parameters bound to null. */
export function planOf(db: Database, sql: string): string[] {
  const named = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null] as const);
  const positional = [...sql.matchAll(/\?/g)].map(() => null);
  const parameters = named.length > 0 ? [Object.fromEntries(named)] : positional;
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
  return rows.map(({ detail }) => detail);
}

/**
 * Returns the plan steps that scan one of these tables (by name or alias as in the statement). Indexes of
 * `boundedIndexes` may be scanned: they hold only active rows.
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

/** Returns the partial indexes. */
export function partialIndexes(db: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'";
  return db.prepare<[], string>(sql).pluck().all();
}

/** Returns the SQL of every statement prepared while `work` runs. */
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
