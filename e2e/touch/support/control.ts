import type { Restaurant } from "../../support/restaurant.ts";

/** Posts to the stand-in's control surface. */
export async function control(restaurant: Restaurant, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  await restaurant.stub(`/stub/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}
