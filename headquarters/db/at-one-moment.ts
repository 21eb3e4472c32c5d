import type { Database, Queries } from "./database.ts";

/** What `work` reads is all of one moment, whatever is written meanwhile. It writes nothing. */
export function atOneMoment<T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> {
  return database.transaction(async (queries) => {
    await queries.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return work(queries);
  });
}
