import type Database from "better-sqlite3";
import type { LastSeen } from "./last-seen.ts";

/** How far the history in a data file has come. */
export function readPlace(db: Database.Database): LastSeen {
  const place = db.prepare<[], LastSeen>("SELECT hub_id AS hubId, generation, epoch, seq FROM hub_state").get();
  if (place === undefined) throw new Error("the data file has no hub state");
  return place;
}
