import type { Queries } from "./database.ts";

/** Returns the restaurants that may connect, each with the public key of its hub. */
export function chainUsers({ query }: Queries): Promise<{ restaurantId: string; publicKey: string }[]> {
  return query(`
    SELECT id AS "restaurantId", public_key AS "publicKey" FROM restaurants
    WHERE public_key IS NOT NULL ORDER BY id`);
}
