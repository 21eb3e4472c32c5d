import { mkdir } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Pool, types } from "pg";
import { errorMessage } from "../error-message.ts";
import { type Database, DatabaseFailure, type Queries } from "./database.ts";
import { isDataError } from "./is-data-error.ts";
import { migrate } from "./migrate.ts";

/** PostgreSQL's type id of bigint. All values here stay far below 2^53. */
const BIGINT = 20;

/**
 * Opens the database and brings its schema up to date: the server at `url`, or an embedded one in `dataDir`.
 * Throws if it cannot be reached or was written by a later version.
 */
export async function openDatabase(options: { url: string | null; dataDir: string }): Promise<Database> {
  const folder = path.join(options.dataDir, "database");
  const database = options.url === null ? await openEmbedded(folder) : openServer(options.url);
  try {
    await migrate(database, options.url === null ? `delete the folder ${folder}` : "drop it and create it empty");
  } catch (error) {
    await database.close();
    if (options.url === null) throw error;
    throw new Error(`the database of HQ_DATABASE_URL: ${errorMessage(error)}`, { cause: error });
  }
  return database;
}

function queriesOver(run: (sql: string, values: unknown[]) => Promise<{ rows: unknown[] }>): Queries {
  return {
    query: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await run(sql, [...values]).catch(fail)).rows as Row[],
  };
}

/** Throws a DatabaseFailure, except for an error in the data of a statement. */
function fail(error: unknown): never {
  throw isDataError(error) ? error : new DatabaseFailure(errorMessage(error), { cause: error });
}

function openServer(url: string): Database {
  const pool = new Pool({
    connectionString: url,
    max: 8,
    // Detects dead connections, and limits the wait for a new one.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (id, format) => (id === BIGINT ? Number : types.getTypeParser(id, format)) },
  });
  // The pool replaces an idle connection that ends. A connection in use rejects its query when it ends; without its own error
  // listener it would also end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    ...queriesOver((sql, values) => pool.query(sql, values)),
    execute: async (sql) => void (await pool.query(sql)),
    close: () => pool.end(),
    async transaction(work) {
      const client = await pool.connect().catch(fail);
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await work(queriesOver((sql, values) => client.query(sql, values)));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((failed: unknown) => {
          broken = failed instanceof Error ? failed : new Error(String(failed));
        });
        throw error;
      } finally {
        // Closes a connection that cannot roll back, instead of reusing it.
        client.release(broken);
      }
    },
  };
}

async function openEmbedded(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = await PGlite.create(folder, { parsers: { [BIGINT]: Number } });
  return {
    ...queriesOver((sql, values) => database.query(sql, values)),
    execute: async (sql) => void (await database.exec(sql)),
    close: () => database.close(),
    transaction: (work) =>
      database.transaction((transaction) => work(queriesOver((sql, values) => transaction.query(sql, values)))),
  };
}
