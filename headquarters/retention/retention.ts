import { DAY_MS } from "@comanda/protocol";
import type { Database } from "../db/database.ts";
import { retainedSince } from "../db/retained-since.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob } from "../loop.ts";
import type { World } from "../world.ts";

const FIRST_MS = 60_000;
const EVERY_MS = 6 * 3_600_000;
const QUARANTINE_DAYS = 90;
/** Hubs ask for their lost checks for a week, and may be offline for another week before that. */
const LOST_DAYS = 30;

/**
 * Removes checks with their lines and refunds, facts, holes, outages, digests, and past alerts and proposals after `checkDays`
 * days. Keeps sums by hour, and by day and product.
 */
export function createRetention({ database, checkDays }: { database: Database; checkDays: number }, world: World) {
  async function tidy(): Promise<void> {
    const now = world.now();
    // A restaurant without a complete copy keeps everything. The clock of one that is closed for good stands still, so the
    // newest of all restaurants counts for it.
    const restaurants = await database.query<{ id: string; clock: Date }>(
      `SELECT r.id, CASE WHEN r.is_closed THEN (SELECT max(copy_of) FROM cursors) ELSE c.copy_of END AS clock
       FROM cursors c JOIN restaurants r ON r.id = c.restaurant_id WHERE c.copy_of IS NOT NULL ORDER BY r.id`,
    );
    for (const { id, clock } of restaurants) {
      if (job.isStopped()) return;
      const before = new Date(retainedSince(now, clock.getTime(), checkDays));
      const day = before.toISOString().slice(0, 10);
      await database.transaction(async ({ query }) => {
        await query("DELETE FROM check_lines WHERE restaurant_id = $1 AND day < $2", [id, day]);
        // By the refund's own time, which may be long after the check's.
        await query("DELETE FROM refunds WHERE restaurant_id = $1 AND hour < $2", [id, before]);
        await query("DELETE FROM checks WHERE restaurant_id = $1 AND day < $2", [id, day]);
        // Checks without a day: merged ones, and unpaid ones of a lost history.
        await query(
          `DELETE FROM checks
           WHERE restaurant_id = $1 AND day IS NULL AND (is_removed OR is_gone) AND updated_at < $2`,
          [id, before],
        );
        // Holes are kept for as long as the missing checks would be.
        await query("DELETE FROM holes WHERE restaurant_id = $1 AND at < $2", [id, before]);
        await query("DELETE FROM facts WHERE restaurant_id = $1 AND at < $2", [id, before]);
        await query("DELETE FROM outages WHERE restaurant_id = $1 AND ended_at < $2", [id, before]);
        await query("DELETE FROM digests WHERE restaurant_id = $1 AND day < $2", [id, day]);
      });
    }
    // The times of these rows are headquarters' own.
    const before = new Date(retainedSince(now, now, checkDays));
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
    /** Removes what is too old now. Runs four times a day by itself. */
    tidy,
  };
}
