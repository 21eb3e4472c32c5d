import type { Queries } from "../db/database.ts";
import type { SimulatedRestaurant } from "./simulated-restaurant.ts";

/** Returns how headquarters differ from the restaurant. Empty if everything is there once and adds up to the cent. */
export async function differences({ query }: Queries, restaurant: SimulatedRestaurant): Promise<string[]> {
  const { id, history } = restaurant;
  const rows = await query<{ ref: string; version: number; isRemoved: boolean }>(
    `SELECT pos_reference AS ref, version, is_removed AS "isRemoved" FROM checks WHERE restaurant_id = $1 AND NOT is_gone`,
    [id],
  );
  const here = new Map(rows.map(({ ref, version, isRemoved }) => [ref, `${version}${isRemoved ? " removed" : ""}`]));
  const there = new Map([
    ...[...history.orders].map(([ref, { order }]): [string, string] => [ref, String(order.version)]),
    ...[...history.removed].map(([ref, { removal }]): [string, string] => [ref, `${removal.version} removed`]),
  ]);
  const found: string[] = [];
  for (const [ref, state] of there)
    if (here.get(ref) !== state) found.push(`${ref}: ${here.get(ref) ?? "lost"}, not ${state}`);
  for (const ref of here.keys()) if (!there.has(ref)) found.push(`${ref}: extra`);

  const facts = await query<{ id: number }>("SELECT id FROM facts WHERE restaurant_id = $1", [id]);
  const factIds = new Set(facts.map((fact) => fact.id));
  for (const fact of history.facts) if (!factIds.has(fact.id)) found.push(`fact ${fact.id}: lost`);

  // The same fact under another epoch would be a second row.
  const doubled = await query<{ id: number }>(
    "SELECT id FROM facts WHERE restaurant_id = $1 GROUP BY id, at, kind, body HAVING count(*) > 1",
    [id],
  );
  for (const fact of doubled) found.push(`fact ${fact.id}: doubled`);

  const expected = restaurant.expected();
  const [hours] = await query<{ checks: number; paid: number; refunded: number }>(
    `SELECT coalesce(sum(checks), 0)::int AS checks, coalesce(sum(paid_cents), 0)::bigint AS paid,
       coalesce(sum(refunded_cents), 0)::bigint AS refunded FROM sales_hours WHERE restaurant_id = $1`,
    [id],
  );
  const [products] = await query<{ amount: number }>(
    "SELECT coalesce(sum(amount_cents), 0)::bigint AS amount FROM sales_products WHERE restaurant_id = $1",
    [id],
  );
  const compare = (name: string, actual: number | undefined, total: number): void => {
    if (actual !== total) found.push(`${name}: ${actual ?? "nothing"}, not ${total}`);
  };
  compare("paid checks", hours?.checks, expected.paid);
  compare("paid", hours?.paid, expected.paidCents);
  compare("refunded", hours?.refunded, expected.refundedCents);
  compare("products", products?.amount, expected.paidCents);
  const guests = await query<{ hour: Date; guests: number }>(
    "SELECT hour, guests FROM sales_hours WHERE restaurant_id = $1 AND checks > 0",
    [id],
  );
  const guestsHere = new Map(guests.map(({ hour, guests: count }) => [hour.toISOString(), count]));
  for (const hour of new Set([...expected.guests.keys(), ...guestsHere.keys()])) {
    compare(`guests at ${hour}`, guestsHere.get(hour), expected.guests.get(hour) ?? 0);
  }
  return found;
}
