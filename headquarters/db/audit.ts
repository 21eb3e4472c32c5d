import type { Queries } from "./database.ts";

/** Who did what. */
export interface Act {
  person: string;
  action: string;
  restaurantId?: string;
  detail?: Readonly<Record<string, unknown>>;
}

/** Notes an act, in the transaction of what was done. */
export async function noteAct(queries: Queries, at: number, act: Act): Promise<void> {
  await queries.query(
    "INSERT INTO audit (at, person, action, restaurant_id, detail) VALUES ($1, $2, $3, $4, $5::jsonb)",
    [new Date(at), act.person, act.action, act.restaurantId ?? null, JSON.stringify(act.detail ?? {})],
  );
}
