import { DAY_MS } from "@comanda/protocol";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob, type Job } from "../loop.ts";
import type { World } from "../world.ts";
import { type Cause, settleAlerts } from "./alert-store.ts";
import { causesAt, type Findings } from "./causes.ts";
import { correlate } from "./correlate.ts";
import type { LagWatch } from "./lag-watch.ts";
import { DIFFERING_DAYS } from "../ingest/digests.ts";
import { type Listening, OFFLINE_MS } from "../presence/presence-of.ts";
import { readRestaurants } from "./restaurants.ts";

const EVERY_MS = 3_000;
/** Restaurants reconnect within 30 s and send a beat every 10 s. */
const LISTEN_MS = OFFLINE_MS + 10_000;
/** Prefixes of the alert kinds that cannot be decided before headquarters have listened for LISTEN_MS. */
const KINDS_NEEDING_LISTENING = ["offline", "behind"];

/** Derives the alerts from the current state of the database. Returns whether any alert changed. */
export async function deriveAlerts(
  database: Database,
  { lag, listening, now }: { lag: LagWatch; listening: Listening; now: number },
): Promise<boolean> {
  const restaurants = await readRestaurants(database, null);
  lag.observe(restaurants);
  const findings: Findings = {
    versions: newestFirst(restaurants.flatMap(({ hubId, beat }) => (hubId === null ? [] : (beat?.version ?? [])))),
    ...(await readFindings(database, now)),
    behindMs: (restaurant) => lag.behindMs(restaurant),
    listeningSince: listening.isOn ? listening.since : -Infinity,
  };
  const found = restaurants.flatMap((each) => causesAt(each, findings, now));
  // After headquarters start or reconnect, restaurants that are online need time to send a beat.
  const isListening = listening.isOn && now - listening.since >= LISTEN_MS;
  const skippedKinds = isListening ? [] : KINDS_NEEDING_LISTENING;
  const causes = found.filter(({ kind }) => !skippedKinds.includes(kind));
  if (!listening.isOn && now - listening.since >= OFFLINE_MS) causes.push(deafCause(listening.since));
  return database.transaction(async (queries) => {
    const open = await queries.query<{ key: string }>("SELECT key FROM alerts WHERE cleared_at IS NULL");
    const keys = new Set(open.map(({ key }) => key));
    const correlated = correlate(causes, restaurants, { open: keys, now });
    return settleAlerts(queries, correlated, { now, skippedKinds });
  });
}

/** Without NATS no beats arrive and no restaurant counts as offline. This alert reports that instead. */
function deafCause(since: number): Cause {
  return { key: "deaf", kind: "deaf", severity: "page", restaurantId: null, group: null, since, values: {} };
}

async function readFindings({ query }: Database, now: number): Promise<Pick<Findings, "differing" | "holes">> {
  const digests = await query<{ restaurantId: string; day: string }>(
    `SELECT restaurant_id AS "restaurantId", day::text AS day FROM digests
     WHERE NOT is_equal AND day > $1::date ORDER BY day`,
    [new Date(now - DIFFERING_DAYS * DAY_MS).toISOString().slice(0, 10)],
  );
  const holes = await query<{ restaurantId: string; count: number }>(
    `SELECT restaurant_id AS "restaurantId", count(*) AS count FROM holes GROUP BY restaurant_id`,
  );
  const days = Map.groupBy(digests, ({ restaurantId }) => restaurantId);
  return {
    differing: new Map([...days].map(([id, found]) => [id, found.map(({ day }) => day)])),
    holes: new Map(holes.map(({ restaurantId, count }) => [restaurantId, count])),
  };
}

/** Returns the distinct versions, highest first. */
function newestFirst(versions: readonly string[]): string[] {
  const order = new Intl.Collator("en", { numeric: true });
  return [...new Set(versions)].toSorted((a, b) => order.compare(b, a));
}

/** Creates the job that calls `derive` every few seconds. */
export function createAlertJob(derive: () => Promise<void>, { log }: World): Job {
  const failures = createFailureLog(log, {
    fails: "alerts cannot be derived; it is tried again",
    worksAgain: "alerts are derived again",
  });
  return createJob(derive, { everyMs: EVERY_MS, failures });
}
