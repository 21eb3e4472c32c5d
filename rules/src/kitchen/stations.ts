import type { Station } from "@comanda/protocol";

/** The id of the one station of a house without stations. */
export const ONLY_STATION = "kitchen";

/** The first station that has the product or its category; the first of all for what none has. Null without stations. */
export function stationFor(
  stations: readonly Station[],
  productId: string | number | undefined,
  categoryId: string | number | undefined,
): Station | null {
  const has = (ids: Station["productIds"], id: string | number | undefined): boolean =>
    id !== undefined && ids.some((each) => String(each) === String(id));
  const match = stations.find((station) => has(station.productIds, productId) || has(station.categoryIds, categoryId));
  return match ?? stations[0] ?? null;
}
