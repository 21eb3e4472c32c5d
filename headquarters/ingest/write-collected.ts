import type { Queries } from "../db/database.ts";
import { keptSince } from "../db/kept-since.ts";
import type { Collected } from "./collected.ts";
import { createTouched, refreshSums, type Touched } from "./refresh-sums.ts";
import { writeOutcomes } from "./write-outcomes.ts";

/** Sums are frozen this long before their checks are removed. */
const MARGIN_DAYS = 2;

/** Columns of `checks` beside its key, with their types, in the order in which they are written. */
const CHECK_COLUMNS = {
  seq: "BIGINT",
  version: "INTEGER",
  full_id: "BIGINT",
  status: "TEXT",
  is_removed: "BOOLEAN",
  table_id: "INTEGER",
  staff_name: "TEXT",
  guests: "INTEGER",
  opened_at: "TIMESTAMPTZ",
  updated_at: "TIMESTAMPTZ",
  paid_at: "TIMESTAMPTZ",
  day: "DATE",
  hour: "TIMESTAMPTZ",
  total_cents: "BIGINT",
  paid_cents: "BIGINT",
  refunded_cents: "BIGINT",
  discount_cents: "BIGINT",
  void_cents: "BIGINT",
  removed_at: "TIMESTAMPTZ",
  removal: "JSONB",
  body: "JSONB",
} as const;
const names = Object.keys(CHECK_COLUMNS);
const typed = Object.entries(CHECK_COLUMNS).map(([name, type]) => `${name} ${type}`);

const UPSERT_CHECKS = `
  INSERT INTO checks (restaurant_id, pos_reference, is_gone, ${names.join(", ")})
  SELECT restaurant_id, pos_reference, FALSE, ${names.join(", ")}
  FROM jsonb_to_recordset($1::text::jsonb) AS new (restaurant_id TEXT, pos_reference TEXT, ${typed.join(", ")})
  ON CONFLICT (restaurant_id, pos_reference) DO UPDATE SET is_gone = FALSE,
    ${names.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}`;

/** Writes what was collected, and the sums that it touches. Throws what the database throws. */
export async function writeCollected(
  queries: Queries,
  collected: Collected,
  { now, checkDays }: { now: Date; checkDays: number },
): Promise<void> {
  const touched = createTouched((restaurant) =>
    keptSince(now.getTime(), collected.clocks.get(restaurant) ?? now.getTime(), checkDays - MARGIN_DAYS),
  );
  await writeChecks(queries, collected, touched);
  await writeStates(queries, "table_states", "table_id", "INTEGER", [...collected.tables.values()]);
  await writeStates(queries, "item_states", "product_id", "TEXT", [...collected.items.values()]);
  await writeOutcomes(queries, await writeFacts(queries, collected), now);
  for (const [restaurant, fullId] of collected.ended) await markGone(queries, restaurant, fullId, touched);
  await refreshSums(queries, touched);
  await writeStandings(queries, collected, now);
  await writeHoles(queries, collected, now);
}

/** Removes the holes that a full transfer has filled, and writes the new ones. */
async function writeHoles({ query }: Queries, { filled, holes }: Collected, now: Date): Promise<void> {
  for (const [restaurant, since] of filled) {
    await query("DELETE FROM holes WHERE restaurant_id = $1 AND (copy_of IS NULL OR copy_of >= $2)", [
      restaurant,
      new Date(since),
    ]);
  }
  if (holes.length === 0) return;
  const rows = holes.map(({ copyOf, ...hole }) => ({
    ...hole,
    from_seq: hole.from,
    to_seq: hole.to,
    copy_of: copyOf === null ? null : new Date(copyOf),
    at: now,
  }));
  await query(
    `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, copy_of, at)
     SELECT * FROM jsonb_to_recordset($1::text::jsonb) AS new (restaurant_id TEXT, epoch TEXT, from_seq BIGINT,
       to_seq BIGINT, cause JSONB, copy_of TIMESTAMPTZ, at TIMESTAMPTZ)`,
    [JSON.stringify(rows)],
  );
}

async function writeChecks({ query }: Queries, { checks }: Collected, touched: Touched): Promise<void> {
  if (checks.size === 0) return;
  const rows = [...checks.values()];
  const keys = JSON.stringify(rows.map(({ restaurant_id, pos_reference }) => ({ restaurant_id, pos_reference })));
  const KEYS = "jsonb_to_recordset($1::text::jsonb) AS key (restaurant_id TEXT, pos_reference TEXT)";
  // What they counted for until now.
  const before = await query<{ restaurant_id: string; hour: Date | null }>(
    `SELECT c.restaurant_id, c.hour FROM ${KEYS} JOIN checks c USING (restaurant_id, pos_reference)
     WHERE c.hour IS NOT NULL
     UNION ALL
     SELECT c.restaurant_id, c.hour FROM ${KEYS} JOIN refunds c USING (restaurant_id, pos_reference)`,
    [keys],
  );
  for (const row of before) touched.addHour(row.restaurant_id, row.hour);
  // Their lines are found by the day that they were of.
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
  const columns = ["restaurant_id", "pos_reference", ...names] as (keyof (typeof rows)[number])[];
  const pick = (row: (typeof rows)[number]): object => Object.fromEntries(columns.map((name) => [name, row[name]]));
  await query(UPSERT_CHECKS, [JSON.stringify(rows.map(pick))]);
  const lines = rows.flatMap(({ restaurant_id, pos_reference, day, lines }) =>
    day === null ? [] : lines.map((line) => ({ restaurant_id, pos_reference, day, ...line })),
  );
  const refunds = rows.flatMap(({ restaurant_id, pos_reference, refunds }) =>
    refunds.map((refund) => ({ restaurant_id, pos_reference, ...refund })),
  );
  await insertParts(query, "check_lines", lines, {
    line_id: "TEXT",
    product_id: "TEXT",
    name: "TEXT",
    quantity_e4: "BIGINT",
    amount_cents: "BIGINT",
  });
  await insertParts(query, "refunds", refunds, { refund_id: "TEXT", hour: "TIMESTAMPTZ", amount_cents: "BIGINT" });
  for (const { restaurant_id, hour } of rows) touched.addHour(restaurant_id, hour);
  for (const { restaurant_id, hour } of refunds) touched.addHour(restaurant_id, hour);
  touchProducts(touched, lines);
}

interface ProductOfDay {
  restaurant_id: string;
  day: string;
  product_id: string;
}

function touchProducts(touched: Touched, products: readonly ProductOfDay[]): void {
  for (const { restaurant_id, day, product_id } of products) touched.addProduct(restaurant_id, day, product_id);
}

async function insertParts(
  query: Queries["query"],
  table: string,
  rows: readonly object[],
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  if (rows.length === 0) return;
  const all = { restaurant_id: "TEXT", pos_reference: "TEXT", day: "DATE", ...columns };
  const list = Object.keys(all).join(", ");
  const types = Object.entries(all).map(([name, type]) => `${name} ${type}`);
  await query(
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM jsonb_to_recordset($1::text::jsonb) AS new (${types.join(", ")})`,
    [JSON.stringify(rows)],
  );
}

async function writeStates(
  { query }: Queries,
  table: string,
  key: string,
  type: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    `INSERT INTO ${table} (restaurant_id, ${key}, seq, full_id, body)
     SELECT restaurant_id, key::${type}, seq, full_id, body FROM jsonb_to_recordset($1::text::jsonb)
       AS new (restaurant_id TEXT, key TEXT, seq BIGINT, full_id BIGINT, body JSONB)
     ON CONFLICT (restaurant_id, ${key}) DO UPDATE
     SET seq = EXCLUDED.seq, full_id = EXCLUDED.full_id, body = EXCLUDED.body`,
    [JSON.stringify(rows)],
  );
}

/** Writes the facts. Answers those that were not here yet, in their order. */
async function writeFacts({ query }: Queries, { facts }: Collected): Promise<Collected["facts"]> {
  if (facts.length === 0) return [];
  const keyOf = (fact: Pick<Collected["facts"][number], "restaurant_id" | "epoch" | "id">): string =>
    JSON.stringify([fact.restaurant_id, fact.epoch, fact.id]);
  const written = await query<Collected["facts"][number]>(
    `INSERT INTO facts (restaurant_id, epoch, id, at, kind, body)
     SELECT * FROM jsonb_to_recordset($1::text::jsonb)
       AS new (restaurant_id TEXT, epoch TEXT, id BIGINT, at TIMESTAMPTZ, kind TEXT, body JSONB)
     ON CONFLICT DO NOTHING RETURNING restaurant_id, epoch, id`,
    [JSON.stringify(facts)],
  );
  const isNew = new Set(written.map(keyOf));
  return facts.filter((fact) => isNew.has(keyOf(fact)));
}

/**
 * What did not come again in a full transfer that had all its parts: the restaurant does not have it. Of closed checks a
 * transfer holds the last weeks alone: what is older than all that came is kept.
 */
async function markGone({ query }: Queries, restaurant: string, fullId: number, touched: Touched): Promise<void> {
  const gone = await query<{ pos_reference: string; hour: Date | null }>(
    `UPDATE checks SET is_gone = TRUE
     WHERE restaurant_id = $1 AND full_id < $2 AND NOT is_gone
       AND ((paid_at IS NULL AND NOT is_removed) OR updated_at >= (
         SELECT min(updated_at) FROM checks
         WHERE restaurant_id = $1 AND full_id = $2 AND (paid_at IS NOT NULL OR is_removed)))
     RETURNING pos_reference, hour`,
    [restaurant, fullId],
  );
  const references = gone.map(({ pos_reference }) => pos_reference);
  const givenBack = await query<{ hour: Date }>(
    "SELECT hour FROM refunds WHERE restaurant_id = $1 AND pos_reference = ANY($2)",
    [restaurant, references],
  );
  for (const { hour } of [...gone, ...givenBack]) touched.addHour(restaurant, hour);
  touchProducts(
    touched,
    await query<ProductOfDay>(
      `DELETE FROM check_lines old USING checks c
       WHERE c.restaurant_id = $1 AND c.pos_reference = ANY($2)
         AND old.restaurant_id = $1 AND old.day = c.day AND old.pos_reference = c.pos_reference
       RETURNING old.restaurant_id, old.day::text AS day, old.product_id`,
      [restaurant, references],
    ),
  );
  for (const table of ["table_states", "item_states"]) {
    await query(`DELETE FROM ${table} WHERE restaurant_id = $1 AND full_id < $2`, [restaurant, fullId]);
  }
}

async function writeStandings({ query }: Queries, { standings }: Collected, now: Date): Promise<void> {
  if (standings.size === 0) return;
  const rows = [...standings.values()].map(({ restaurant_id, standing, copyOf, zone }) => ({
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
    zone,
  }));
  const json = JSON.stringify(rows);
  await query(
    `INSERT INTO cursors (restaurant_id, hub_id, generation, epoch, seq, fact_id, is_full_done, full_id, transfer,
       is_full_wanted, copy_of, updated_at)
     SELECT restaurant_id, hub_id, generation, epoch, seq, fact_id, is_full_done, full_id, transfer, is_full_wanted,
       copy_of, $2
     FROM jsonb_to_recordset($1::text::jsonb) AS new (restaurant_id TEXT, hub_id TEXT, generation BIGINT, epoch TEXT,
       seq BIGINT, fact_id BIGINT, is_full_done BOOLEAN, full_id BIGINT, transfer JSONB, is_full_wanted BOOLEAN,
       copy_of TIMESTAMPTZ)
     ON CONFLICT (restaurant_id) DO UPDATE SET hub_id = EXCLUDED.hub_id, generation = EXCLUDED.generation,
       epoch = EXCLUDED.epoch, seq = EXCLUDED.seq, fact_id = EXCLUDED.fact_id, is_full_done = EXCLUDED.is_full_done,
       full_id = EXCLUDED.full_id, transfer = EXCLUDED.transfer, is_full_wanted = EXCLUDED.is_full_wanted,
       copy_of = coalesce(EXCLUDED.copy_of, cursors.copy_of), updated_at = $2`,
    [json, now],
  );
  await query(
    `UPDATE restaurants r SET time_zone = new.zone
     FROM jsonb_to_recordset($1::text::jsonb) AS new (restaurant_id TEXT, zone TEXT)
     WHERE r.id = new.restaurant_id AND new.zone IS NOT NULL AND r.time_zone IS DISTINCT FROM new.zone`,
    [json],
  );
}
