import { createUser } from "@nats-io/nkeys";
import type { Queries } from "../db/database.ts";
import { openDatabase } from "../db/open.ts";

export interface PreparedRestaurant {
  id: string;
  seed: Uint8Array;
}

/** Adds restaurants whose hubs may connect to the database of stopped headquarters. */
export async function prepareRestaurants(
  where: { url: string | null; dataDir: string },
  count: number,
): Promise<PreparedRestaurant[]> {
  const database = await openDatabase(where);
  try {
    return await writeRestaurants(database, count);
  } finally {
    await database.close();
  }
}

/** Adds the restaurants r0001, r0002, …. Running headquarters admit their hubs only after a reload of the users. */
export async function writeRestaurants(database: Queries, count: number): Promise<PreparedRestaurant[]> {
  const made: PreparedRestaurant[] = [];
  for (let n = 1; n <= count; n += 1) {
    const id = `r${String(n).padStart(4, "0")}`;
    const key = createUser();
    await database.query(
      `INSERT INTO restaurants (id, name, created_at, public_key, hub_id, enrolled_at)
       VALUES ($1, $2, now(), $3, $4, now())`,
      [id, `Restaurante ${n}`, key.getPublicKey(), `hub-${id}`],
    );
    made.push({ id, seed: key.getSeed() });
  }
  return made;
}
