import type Database from "better-sqlite3";
import type { World } from "../../platform/world.ts";
import { rowClasses } from "./row-classes.ts";
import { soundRow } from "./sealed-tables.ts";

/** Messages for remembered values that exist only here. The hub can work without them, but reports their loss. */
const OWN: ReadonlyMap<unknown, string> = new Map([
  ["countedSession", "when this session of the point of sale began was damaged: it is shown to begin now"],
  ["webhooksPaused", "whether webhooks were paused was damaged: they are sent"],
]);

/**
 * Deletes rows of copied data that do not match their seal; the hub fetches that data again from its source. Returns messages
 * for the deleted values that have no other source.
 */
export function forgetDamagedCopies(db: Database.Database, world: World): string[] {
  const lost: string[] = [];
  for (const [table, { kind }] of Object.entries(rowClasses)) {
    if (kind !== "copy") continue;
    const removed = db
      .prepare<[], { name?: unknown }>(`DELETE FROM "${table}" WHERE NOT ${soundRow(db, table)} RETURNING *`)
      .all();
    if (removed.length === 0) continue;
    world.log.warn({ table, rows: removed.length }, "damaged copies were forgotten and are read again");
    lost.push(...removed.flatMap(({ name }) => OWN.get(name) ?? []));
  }
  return lost;
}
