import { DAY_MS } from "@comanda/protocol";
import type { Queries } from "../db/database.ts";
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
  const touched = createTouched(now.getTime() - (checkDays - MARGIN_DAYS) * DAY_MS);
  await writeChecks(queries, collected, touched);
  await writeStates(queries, "table_states", "table_id", "INTEGER", [...collected.tables.values()]);
  await writeStates(queries, "item_states", "product_id", "TEXT", [...collected.items.values()]);
  await writeOutcomes(queries, await writeFacts(queries, collected), now);
  for (const [restaurant, fullId] of collected.ended) await markGone(queries, restaurant, fullId, touched);
  await refreshSums(queries, touched);
  await writeStandings(queries, collected, now);
  if (collected.holes.length > 0) {
    const holes = collected.holes.map((hole) => ({ ...hole, from_seq: hole.from, to_seq: hole.to, at: now }));
    await queries.query(
      `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, reason, at)
       SELECT * FROM jsonb_to_recordset($1::text::jsonb)
         AS new (restaurant_id TEXT, epoch TEXT, from_seq BIGINT, to_seq BIGINT, reason TEXT, at TIMESTAMPTZ)`,
      [JSON.stringify(holes)],
    );
  }
}

async function writeChecks({ query }: Queries, { checks }: Collected, touched: Touched): Promise<void> {
  if (checks.size === 0) return;
  const rows = [...checks.values()];
  const keys = JSON.stringify(rows.map(({ restaurant_id, pos_reference }) => ({ restaurant_id, pos_reference })));
  const KEYS = "jsonb_to_recordset($1::text::jsonb) AS key (restaurant_id TEXT, pos_reference TEXT)";
  // What they counted for until now.
  const before = await query<{ restaurant_id: string; day: string | null; hour: Date | null }>(
    `SELECT c.restaurant_id, c.day::text AS day, c.hour FROM ${KEYS} JOIN checks c USING (restaurant_id, pos_reference)
     WHERE c.hour IS NOT NULL
     UNION ALL
     SELECT c.restaurant_id, NULL, c.hour FROM ${KEYS} JOIN refunds c USING (restaurant_id, pos_reference)`,
    [keys],
  );
  for (const row of before) touched.add(row.restaurant_id, row);
  // Their lines are found by the day that they were of.
  for (const table of ["check_lines", "payments"]) {
    await query(
      `DELETE FROM ${table} old USING ${KEYS} JOIN checks c USING (restaurant_id, pos_reference)
       WHERE old.restaurant_id = c.restaurant_id AND old.day = c.day AND old.pos_reference = c.pos_reference`,
      [keys],
    );
  }
  await query(
    `DELETE FROM refunds old USING ${KEYS}
     WHERE old.restaurant_id = key.restaurant_id AND old.pos_reference = key.pos_reference`,
    [keys],
  );
  const columns = ["restaurant_id", "pos_reference", ...names] as (keyof (typeof rows)[number])[];
  const pick = (row: (typeof rows)[number]): object => Object.fromEntries(columns.map((name) => [name, row[name]]));
  await query(UPSERT_CHECKS, [JSON.stringify(rows.map(pick))]);
  const parts = <K extends "lines" | "payments" | "refunds">(kind: K): object[] =>
    rows.flatMap(({ restaurant_id, pos_reference, day, ...row }) =>
      row[kind].map((part) => ({ restaurant_id, pos_reference, day, ...part })),
    );
  await insertParts(query, "check_lines", parts("lines"), {
    line_id: "TEXT",
    product_id: "TEXT",
    name: "TEXT",
    quantity_e4: "BIGINT",
    amount_cents: "BIGINT",
  });
  await insertParts(query, "payments", parts("payments"), {
    position: "INTEGER",
    method_id: "TEXT",
    amount_cents: "BIGINT",
    tip_cents: "BIGINT",
  });
  await insertParts(query, "refunds", parts("refunds"), {
    refund_id: "TEXT",
    hour: "TIMESTAMPTZ",
    amount_cents: "BIGINT",
  });
  for (const { restaurant_id, day, hour, refunds } of rows) {
    touched.add(restaurant_id, { day, hour });
    for (const refund of refunds) touched.add(restaurant_id, { day: null, hour: refund.hour });
  }
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
  const gone = await query<{ day: string | null; hour: Date | null }>(
    `UPDATE checks SET is_gone = TRUE
     WHERE restaurant_id = $1 AND full_id < $2 AND NOT is_gone
       AND ((paid_at IS NULL AND NOT is_removed) OR updated_at >= (
         SELECT min(updated_at) FROM checks
         WHERE restaurant_id = $1 AND full_id = $2 AND (paid_at IS NOT NULL OR is_removed)))
     RETURNING day::text AS day, hour`,
    [restaurant, fullId],
  );
  for (const row of gone) touched.add(restaurant, row);
  for (const table of ["table_states", "item_states"]) {
    await query(`DELETE FROM ${table} WHERE restaurant_id = $1 AND full_id < $2`, [restaurant, fullId]);
  }
}

async function writeStandings({ query }: Queries, { standings }: Collected, now: Date): Promise<void> {
  for (const { restaurant_id: restaurant, standing, copyOf, zone } of standings.values()) {
    const { hubId, generation, epoch, seq, factId, isFullDone, fullId, transfer } = standing;
    await query(
      `INSERT INTO cursors
         (restaurant_id, hub_id, generation, epoch, seq, fact_id, is_full_done, full_id, transfer, copy_of, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10, $11)
       ON CONFLICT (restaurant_id) DO UPDATE SET hub_id = $2, generation = $3, epoch = $4, seq = $5, fact_id = $6,
         is_full_done = $7, full_id = $8, transfer = $9::text::jsonb, copy_of = coalesce($10, cursors.copy_of),
         updated_at = $11`,
      [
        restaurant,
        hubId,
        generation,
        epoch,
        seq,
        factId,
        isFullDone,
        fullId,
        transfer === null ? null : JSON.stringify(transfer),
        copyOf === null ? null : new Date(copyOf),
        now,
      ],
    );
    if (zone !== null) {
      await query("UPDATE restaurants SET time_zone = $2 WHERE id = $1 AND time_zone IS DISTINCT FROM $2", [
        restaurant,
        zone,
      ]);
    }
  }
}
