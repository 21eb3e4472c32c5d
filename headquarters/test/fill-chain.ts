import { DAY_MS } from "@comanda/protocol";
import { createUser } from "@nats-io/nkeys";
import type { Queries } from "../db/database.ts";

/** Groups of the chain, with the percentage of restaurants in each. */
const groups = [
  ["Santo Domingo", 40],
  ["Santiago", 20],
  ["Norte", 15],
  ["Este", 15],
  ["Sur", 10],
] as const;

const places = [
  "Naco",
  "Piantini",
  "Gazcue",
  "Bella Vista",
  "Los Prados",
  "Zona Colonial",
  "Villa Mella",
  "Herrera",
  "Los Jardines",
  "Bonao",
  "Moca",
  "La Vega",
  "Puerto Plata",
  "Bávaro",
  "Higüey",
  "La Romana",
  "Baní",
  "Azua",
  "Barahona",
];

/** Builds the last beat of a restaurant. Tests override fields with `more`. */
export function beatOf(now: number, more: object = {}): object {
  return {
    v: 1,
    at: iso(now),
    version: "1.4.0",
    startedAt: iso(now - DAY_MS),
    seq: 1_000,
    status: "ok",
    reasons: [],
    sessionOpen: true,
    terminals: { connected: 6, away: 0 },
    openChecks: 12,
    openTotal: 18_450,
    paidChecks: 80,
    paidTotal: 96_240.5,
    unsent: 0,
    unsentSince: null,
    kitchen: { open: 9, late: 0 },
    fiscal: [{ type: "B02", remaining: 4_000, expiresOn: "2027-12-31" }],
    lastBackupAt: iso(now - DAY_MS / 4),
    freeDiskBytes: 80_000_000_000,
    lossesOpen: 0,
    clockOffMs: 40,
    ...more,
  };
}

export interface FilledRestaurant {
  id: string;
  name: string;
  group: string;
}

/** Writes a chain of healthy restaurants with their sales of the last `days` days. */
export async function fillChain(
  queries: Queries,
  { restaurants: count, days, now }: { restaurants: number; days: number; now: number },
): Promise<FilledRestaurant[]> {
  const restaurants = Array.from({ length: count }, (_, index): FilledRestaurant => {
    const number = index + 1;
    const place = places[index % places.length] ?? "";
    return {
      id: `r${String(number).padStart(4, "0")}`,
      name: `${place} ${number}`,
      group: groupAt((index * 100) / count),
    };
  });
  const ids = restaurants.map(({ id }) => id);
  await queries.query(
    `INSERT INTO restaurants (id, name, created_at, hub_id, enrolled_at, time_zone, groups)
     SELECT id, name, $3, 'hub-' || id, $3, 'America/Santo_Domingo', ARRAY[group_name]
     FROM unnest($1::text[], $2::text[], $4::text[]) AS r (id, name, group_name)`,
    [ids, restaurants.map(({ name }) => name), new Date(now - 90 * DAY_MS), restaurants.map(({ group }) => group)],
  );
  await queries.query("INSERT INTO beats (restaurant_id, heard_at, body) SELECT unnest($1::text[]), $2, $3::jsonb", [
    ids,
    new Date(now),
    JSON.stringify(beatOf(now)),
  ]);
  await queries.query(
    `INSERT INTO cursors (restaurant_id, hub_id, generation, epoch, seq, is_full_done, copy_of, updated_at)
     SELECT id, 'hub-' || id, 1, 'epoch', 1000, TRUE, $2, $2 FROM unnest($1::text[]) AS r (id)`,
    [ids, new Date(now)],
  );
  if (days > 0) await fillSales(queries, ids, days, now);
  return restaurants;
}

/** Gives a restaurant a key. A restaurant without one never counts as missing. */
export async function giveKey({ query }: Queries, id: string): Promise<void> {
  await query("UPDATE restaurants SET public_key = $2 WHERE id = $1", [id, createUser().getPublicKey()]);
}

/** Writes sales from 11:00 to 22:00 of each day in chronological order, with the same amounts in each run. */
async function fillSales({ query }: Queries, ids: readonly string[], days: number, now: number): Promise<void> {
  const range = [ids, iso(now - days * DAY_MS).slice(0, 10), iso(now - 4 * 3_600_000).slice(0, 10)];
  await query(
    `INSERT INTO sales_hours
       (restaurant_id, hour, clock_hour, day, checks, guests, paid_cents, refunded_cents, discount_cents, void_cents)
     SELECT id, (day + make_interval(hours => hour)) AT TIME ZONE 'America/Santo_Domingo', hour, day::date, checks, checks * 2,
       checks * 120050, 0, checks * 1000, 0
     FROM unnest($1::text[]) WITH ORDINALITY AS r (id, number),
       generate_series($2::timestamp, $3::timestamp, '1 day') AS day, generate_series(11, 22) AS hour,
       LATERAL (SELECT (4 + (number * hour) % 7 + CASE WHEN hour IN (13, 20, 21) THEN 9 ELSE 0 END)::int AS checks) AS hourly
     ORDER BY day, number`,
    range,
  );
  await query(
    `INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
     SELECT id, day::date, 'p' || product, 'Plato ' || product, sold * 10000, sold * (15000 + product * 500)
     FROM unnest($1::text[]) WITH ORDINALITY AS r (id, number),
       generate_series($2::timestamp, $3::timestamp, '1 day') AS day, generate_series(1, 60) AS product,
       LATERAL (SELECT (1 + (number * product) % 23)::int AS sold) AS daily
     ORDER BY day, number`,
    range,
  );
}

function groupAt(percent: number): string {
  let below = 0;
  for (const [name, share] of groups) {
    below += share;
    if (percent < below) return name;
  }
  return groups[0][0];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
