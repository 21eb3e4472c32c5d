import type { Station } from "@comanda/protocol";

/** The id of the only station in a restaurant that has none configured. */
export const ONLY_STATION = "kitchen";

/** Returns the first station with the product or its category, else the first station. Null if there are none. */
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
