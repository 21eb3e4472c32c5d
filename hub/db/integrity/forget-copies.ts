import type Database from "better-sqlite3";
import type { World } from "../../platform/world.ts";
import { rowClasses } from "./row-classes.ts";
import { soundRow } from "./sealed-tables.ts";

/** What is remembered and nobody else knows, in words: without it the hub goes on, and says so. */
const OWN: ReadonlyMap<unknown, string> = new Map([
  ["sessionSince", "when this session of the point of sale began was damaged: its totals count from now on"],
  ["webhooksPaused", "whether webhooks were paused was damaged: they are sent"],
]);

/**
 * Removes what is only a copy and does not match its seal: it is read again from where it was copied. Returns in
 * words what of it was no copy.
 */
export function forgetDamagedCopies(db: Database.Database, world: World): string[] {
  const lost: string[] = [];
  for (const [table, { kind }] of Object.entries(rowClasses)) {
    if (kind !== "copy") continue;
    const gone = db
      .prepare<[], { name?: unknown }>(`DELETE FROM "${table}" WHERE NOT ${soundRow(db, table)} RETURNING *`)
      .all();
    if (gone.length === 0) continue;
    world.log.warn({ table, rows: gone.length }, "damaged copies were forgotten and are read again");
    lost.push(...gone.flatMap(({ name }) => OWN.get(name) ?? []));
  }
  return lost;
}
