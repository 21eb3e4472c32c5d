import type Database from "better-sqlite3";
import { createLog } from "../../hub/platform/log.ts";
import { tidyOffline } from "../../hub/retention/tidy-offline.ts";
import { realWorld } from "../../hub/platform/world.ts";

/** Thinned as a hub does by default; kept so long that a file of three years has all of them. */
export const RETENTION = { historyDays: 60, retentionDays: 1200 };

/**
 * Brings a data file to the state of a hub that has worked until `now` (ms since 1970): what has rested is packed and
 * thinned by the hub's own code, run to its end.
 */
export function tidyUp(db: Database.Database, now: number): void {
  const world = realWorld(createLog("silent"));
  tidyOffline(db, { ...world, clock: { ...world.clock, now: () => now } }, RETENTION);
}
