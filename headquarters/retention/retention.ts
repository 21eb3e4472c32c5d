import { DAY_MS } from "@comanda/protocol";
import type { Database } from "../db/database.ts";
import { keptSince } from "../db/kept-since.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob } from "../loop.ts";
import type { World } from "../world.ts";

const FIRST_MS = 60_000;
const EVERY_MS = 6 * 3_600_000;
const QUARANTINE_DAYS = 90;
/** Hubs ask for what they have lost for a week; one may be without a line for as long. */
const LOST_DAYS = 30;

/**
 * Removes checks, with what belongs to them, facts, holes, alerts and proposals that are over after `checkDays`; sums by hour and by
 * day and product are kept.
 */
export function createRetention({ database, checkDays }: { database: Database; checkDays: number }, world: World) {
  async function tidy(): Promise<void> {
    const now = world.now();
    // Of one that has never been here whole nothing is too old. One that is closed for good has no clock any more: the time of
    // all others goes on there.
    const restaurants = await database.query<{ id: string; clock: Date }>(
      `SELECT r.id, CASE WHEN r.is_closed THEN (SELECT max(copy_of) FROM cursors) ELSE c.copy_of END AS clock
       FROM cursors c JOIN restaurants r ON r.id = c.restaurant_id WHERE c.copy_of IS NOT NULL ORDER BY r.id`,
    );
    for (const { id, clock } of restaurants) {
      if (job.isStopped()) return;
      const before = new Date(keptSince(now, clock.getTime(), checkDays));
      const day = before.toISOString().slice(0, 10);
      await database.transaction(async ({ query }) => {
        await query("DELETE FROM check_lines WHERE restaurant_id = $1 AND day < $2", [id, day]);
        // By their own time, which may be long after the check's.
        await query("DELETE FROM refunds WHERE restaurant_id = $1 AND hour < $2", [id, before]);
        await query("DELETE FROM checks WHERE restaurant_id = $1 AND day < $2", [id, day]);
        // What has no day: what was merged, or is of a history that was lost, and was never paid.
        await query(
          `DELETE FROM checks
           WHERE restaurant_id = $1 AND day IS NULL AND (is_removed OR is_gone) AND updated_at < $2`,
          [id, before],
        );
        // What is missing of checks is known as long as they would be.
        await query("DELETE FROM holes WHERE restaurant_id = $1 AND at < $2", [id, before]);
        await query("DELETE FROM facts WHERE restaurant_id = $1 AND at < $2", [id, before]);
        await query("DELETE FROM outages WHERE restaurant_id = $1 AND ended_at < $2", [id, before]);
        await query("DELETE FROM digests WHERE restaurant_id = $1 AND day < $2", [id, day]);
      });
    }
    // These bear headquarters' own time.
    const before = new Date(keptSince(now, now, checkDays));
    await database.query("DELETE FROM proposals WHERE until_at < $1", [before]);
    await database.query("DELETE FROM alerts WHERE cleared_at < $1", [before]);
    await database.query("DELETE FROM lost_checks WHERE at < $1", [new Date(now - LOST_DAYS * DAY_MS)]);
    await database.query("DELETE FROM quarantine WHERE at < $1", [new Date(now - QUARANTINE_DAYS * DAY_MS)]);
  }

  const failures = createFailureLog(world.log, {
    fails: "what is too old cannot be removed; it is tried again",
    worksAgain: "what is too old is removed again",
  });
  const job = createJob(tidy, { firstMs: FIRST_MS, everyMs: EVERY_MS, failures });
  return {
    ...job,
    /** Removes what is too old now; happens four times a day by itself. */
    tidy,
  };
}
