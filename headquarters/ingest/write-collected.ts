import type { Queries } from "../db/database.ts";
import { retainedSince } from "../db/retained-since.ts";
import { insertRows, rowsOf } from "../db/rows.ts";
import type { Collected, EndedTransfer } from "./collected.ts";
import { clockOfZone } from "./instants.ts";
import { saveMissingChecks, saveReplacedChecks } from "./lost-checks.ts";
import { createTouched, refreshSums, type Touched } from "./refresh-sums.ts";
import { releaseMovedChecks, withoutSoldElsewhere } from "./sold-elsewhere.ts";
import { writeOutcomes } from "./write-outcomes.ts";

/** Sums are frozen this many days before their checks are removed. */
const MARGIN_DAYS = 2;

/** Writes what was collected, and recomputes the sums that it changes. Throws what the database throws. */
export async function writeCollected(
  queries: Queries,
  collected: Collected,
  { now, checkDays }: { now: Date; checkDays: number },
): Promise<void> {
  const touched = createTouched(
    (restaurant) =>
      retainedSince(now.getTime(), collected.clocks.get(restaurant) ?? now.getTime(), checkDays - MARGIN_DAYS),
    (restaurant, at) => clockOfZone(collected.zones.get(restaurant) ?? "")?.hour(at) ?? 0,
  );
  await saveReplacedChecks(queries, collected, now);
  await writeChecks(queries, collected, touched);
  await insertRows(queries, "item_states", [...collected.items.values()], "restaurant_id, product_id");
  await writeOutcomes(queries, await writeFacts(queries, collected), now);
  for (const [restaurant, transfer] of collected.ended) {
    if (collected.forked.has(restaurant)) await saveMissingChecks(queries, restaurant, transfer, now);
    await markRemoved(queries, restaurant, transfer, touched);
  }
  await refreshSums(queries, touched);
  await writeStandings(queries, collected, now);
  await writeHoles(queries, collected, now);
}

/** Removes the holes that a full transfer has filled, and writes the new ones. */
async function writeHoles(queries: Queries, { filled, holes }: Collected, now: Date): Promise<void> {
  for (const [restaurant, since] of filled) {
    await queries.query("DELETE FROM holes WHERE restaurant_id = $1 AND (copy_of IS NULL OR copy_of >= $2)", [
      restaurant,
      new Date(since),
    ]);
  }
  const rows = holes.map(({ copyOf, from, to, ...hole }) => ({
    ...hole,
    from_seq: from,
    to_seq: to,
    copy_of: copyOf === null ? null : new Date(copyOf),
    at: now,
  }));
  await insertRows(queries, "holes", rows);
}

const KEYS = `${rowsOf("checks")} AS key`;

interface CheckKey {
  restaurant_id: string;
  pos_reference: string;
}

async function writeChecks(queries: Queries, { checks, zones }: Collected, touched: Touched): Promise<void> {
  if (checks.size === 0) return;
  const moved = await releaseMovedChecks(queries, [...checks.values()]);
  for (const { restaurant_id, time_zone } of moved) zones.set(restaurant_id, time_zone);
  await clearDetails(queries, moved, touched);
  const rows = await withoutSoldElsewhere(queries, [...checks.values()]);
  const keys = rows.map(({ restaurant_id, pos_reference }) => ({ restaurant_id, pos_reference }));
  await clearDetails(queries, keys, touched);
  const heads = rows.map(({ lines: _lines, refunds: _refunds, ...head }) => ({ ...head, is_gone: false }));
  await insertRows(queries, "checks", heads, "restaurant_id, pos_reference");
  const lines = rows.flatMap(({ restaurant_id, pos_reference, day, lines }) =>
    day === null ? [] : lines.map((line) => ({ restaurant_id, pos_reference, day, ...line })),
  );
  const refunds = rows.flatMap(({ restaurant_id, pos_reference, refunds }) =>
    refunds.map((refund) => ({ restaurant_id, pos_reference, ...refund })),
  );
  await insertRows(queries, "check_lines", lines);
  await insertRows(queries, "refunds", refunds);
  await touchHours(queries, keys, touched);
  touchProducts(touched, lines);
}

/** Deletes the lines and refunds of checks, and marks the sums that they counted in. */
async function clearDetails(queries: Queries, checks: readonly CheckKey[], touched: Touched): Promise<void> {
  if (checks.length === 0) return;
  const { query } = queries;
  const keys = JSON.stringify(checks);
  await touchHours(queries, checks, touched);
  // Found by the stored day of the check, which is part of the lines' key.
  touchProducts(
    touched,
    await query<ProductOfDay>(
      `DELETE FROM check_lines old USING ${KEYS} JOIN checks c USING (restaurant_id, pos_reference)
       WHERE old.restaurant_id = c.restaurant_id AND old.day = c.day AND old.pos_reference = c.pos_reference
       RETURNING old.restaurant_id, old.day::text AS day, old.product_id`,
      [keys],
    ),
  );
  await query(
    `DELETE FROM refunds old USING ${KEYS}
     WHERE old.restaurant_id = key.restaurant_id AND old.pos_reference = key.pos_reference`,
    [keys],
  );
}

/** Marks the hours of checks, of their refunds, and of all checks of the same parties, whose guests count once. */
async function touchHours({ query }: Queries, checks: readonly CheckKey[], touched: Touched): Promise<void> {
  const hours = await query<{ restaurant_id: string; hour: Date }>(
    `SELECT other.restaurant_id, other.hour FROM ${KEYS} JOIN checks c USING (restaurant_id, pos_reference)
       JOIN checks other ON other.restaurant_id = c.restaurant_id AND other.party = c.party
     WHERE c.hour IS NOT NULL AND other.hour IS NOT NULL
     UNION
     SELECT r.restaurant_id, r.hour FROM ${KEYS} JOIN refunds r USING (restaurant_id, pos_reference)`,
    [JSON.stringify(checks)],
  );
  for (const { restaurant_id, hour } of hours) touched.addHour(restaurant_id, hour);
}

interface ProductOfDay {
  restaurant_id: string;
  day: string;
  product_id: string;
}

function touchProducts(touched: Touched, products: readonly ProductOfDay[]): void {
  for (const { restaurant_id, day, product_id } of products) touched.addProduct(restaurant_id, day, product_id);
}

/** Writes the facts. Returns those that are new, in their order. */
async function writeFacts({ query }: Queries, { facts }: Collected): Promise<Collected["facts"]> {
  if (facts.length === 0) return [];
  const keyOf = (fact: Pick<Collected["facts"][number], "restaurant_id" | "epoch" | "id">): string =>
    JSON.stringify([fact.restaurant_id, fact.epoch, fact.id]);
  const written = await query<Collected["facts"][number]>(
    `INSERT INTO facts SELECT * FROM ${rowsOf("facts")} ON CONFLICT DO NOTHING RETURNING restaurant_id, epoch, id`,
    [JSON.stringify(facts)],
  );
  const isNew = new Set(written.map(keyOf));
  return facts.filter((fact) => isNew.has(keyOf(fact)));
}

/**
 * Marks checks as gone that a complete full transfer lacks: the restaurant no longer has them. Closed checks stay if another
 * hub sold them, or if this hub may have deleted them as too old: from before `since` for a restored hub, else from before the
 * oldest closed check of the transfer.
 */
async function markRemoved(
  queries: Queries,
  restaurant: string,
  { hubId, fullId, since, isRestored }: EndedTransfer,
  touched: Touched,
): Promise<void> {
  const { query } = queries;
  const removed = await query<CheckKey>(
    `UPDATE checks SET is_gone = TRUE
     WHERE restaurant_id = $1 AND full_id < $2 AND NOT is_gone
       AND ((paid_at IS NULL AND NOT is_removed) OR (hub_id = $4 AND updated_at >= coalesce($3::timestamptz, (
         SELECT min(updated_at) FROM checks
         WHERE restaurant_id = $1 AND full_id = $2 AND (paid_at IS NOT NULL OR is_removed)))))
     RETURNING restaurant_id, pos_reference`,
    [restaurant, fullId, isRestored ? new Date(since) : null, hubId],
  );
  await clearDetails(queries, removed, touched);
  await query("DELETE FROM item_states WHERE restaurant_id = $1 AND full_id < $2", [restaurant, fullId]);
}

async function writeStandings(queries: Queries, { standings, zones, rivals }: Collected, now: Date): Promise<void> {
  const rows = [...standings].map(([restaurant_id, { standing, copyOf }]) => ({
    restaurant_id,
    hub_id: standing.hubId,
    generation: standing.generation,
    epoch: standing.epoch,
    seq: standing.seq,
    fact_id: standing.factId,
    is_full_done: standing.isFullDone,
    full_id: standing.fullId,
    transfer: standing.transfer,
    is_full_wanted: standing.isFullWanted,
    copy_of: copyOf === null ? null : new Date(copyOf),
    updated_at: now,
  }));
  await insertRows(queries, "cursors", rows, "restaurant_id");
  await queries.query("UPDATE cursors SET rival_at = $2 WHERE restaurant_id = ANY($1)", [[...rivals], now]);
  await queries.query(
    `UPDATE restaurants r SET time_zone = new.zone FROM unnest($1::text[], $2::text[]) AS new (id, zone)
     WHERE r.id = new.id AND r.time_zone IS DISTINCT FROM new.zone`,
    [[...zones.keys()], [...zones.values()]],
  );
}
