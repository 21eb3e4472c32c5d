import type { Database, Queries } from "./database.ts";

/** Runs `work` on a snapshot of the database, unaffected by concurrent writes. `work` must not write. */
export function inSnapshot<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  return database.transaction(async (queries) => {
    await queries.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return work(queries);
  });
}
