import type Database from "better-sqlite3";
import { columnsOf } from "./life.ts";

/** Whether the hub of this schema packs the versions of orders that have rested. */
export function isPacking(db: Database.Database): boolean {
  return columnsOf(db, "orders").includes("packing");
}

/**
 * Brings a data file to the state of a hub that has worked until `now` (ms since 1970): what has rested is packed and
 * thinned by the hub's own code, run to its end. Called after each day that is written where the schema knows packing.
 */
export function tidyUp(db: Database.Database, now: number): void {
  if (!isPacking(db)) return;
  // Here the hub's own packing is called when it lands, with a clock that stands at `now`; until then files stay plain.
  void now;
}
