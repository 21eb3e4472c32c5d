import { createHash } from "node:crypto";
import type { Database } from "./database.ts";
import { schema } from "./schema.ts";

/** All migrations in order. A database's version is the number applied to it. A released migration never changes. */
const migrations: readonly string[] = [schema];

/** Hash of all statements. Detects tables that an unreleased version made by other statements. */
const made = createHash("sha256")
  .update(migrations.join().replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " "))
  .digest("hex");

/**
 * Brings the schema up to date, once even if several processes start together. `anew` tells the operator, in an error message,
 * how to get an empty database.
 */
export async function migrate(database: Database, resetHint: string): Promise<void> {
  await database.execute(`
    CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL);
    ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS made TEXT;
    INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING;
  `);
  await database.transaction(async ({ query }) => {
    const [row] = await query<{ version: number; made: string | null }>(
      "SELECT version, made FROM schema_version FOR UPDATE",
    );
    const version = row?.version ?? 0;
    if (version > migrations.length) {
      throw new Error(`the database has version ${version} of the schema, and this program knows ${migrations.length}`);
    }
    if (version === migrations.length && row?.made !== made) {
      throw new Error(
        `the database was made by another development version, whose tables are others: ${resetHint}, start again, and enter ` +
          "people and restaurants anew. Restaurants that are enrolled again send what they have",
      );
    }
    for (const migration of migrations.slice(version)) {
      for (const statement of migration.split(/;\s*$/m)) if (statement.trim() !== "") await query(statement);
    }
    await query("UPDATE schema_version SET version = $1, made = $2", [migrations.length, made]);
  });
}
