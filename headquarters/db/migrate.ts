import type { Database } from "./database.ts";
import { schema } from "./schema.ts";

/** In order; the version of a database is how many of them it has seen. None is changed once it was released. */
const migrations: readonly string[] = [schema];

/** Brings the schema up to date, once, however many programs start at a time. */
export async function migrate(database: Database): Promise<void> {
  await database.execute(`
    CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
    INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING;
  `);
  await database.transaction(async ({ query }) => {
    const [row] = await query<{ version: number }>("SELECT version FROM schema_version FOR UPDATE");
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      throw new Error(`the database has version ${version} of the schema, and this program knows ${migrations.length}`);
    }
    for (const migration of migrations.slice(version)) {
      for (const statement of migration.split(/;\s*$/m)) if (statement.trim() !== "") await query(statement);
    }
    await query("UPDATE schema_version SET version = $1", [migrations.length]);
  });
}
