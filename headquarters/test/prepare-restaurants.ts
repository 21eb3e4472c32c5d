import { createUser } from "@nats-io/nkeys";
import { openDatabase } from "../db/open.ts";

/** Writes restaurants whose hubs may connect into the database of headquarters that do not run. */
export async function prepareRestaurants(
  where: { url: string | null; dataDir: string },
  count: number,
): Promise<{ id: string; seed: Uint8Array }[]> {
  const database = await openDatabase(where);
  try {
    const made: { id: string; seed: Uint8Array }[] = [];
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
  } finally {
    await database.close();
  }
}
