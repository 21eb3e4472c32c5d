import { openHeadquarters, type Headquarters } from "../../demo/chain/open-headquarters.ts";
import type { Dinner } from "./dinner.ts";

/** Runs `work` with real headquarters whose one restaurant, `id`, is the dinner's. */
export async function withHeadquarters(
  dinner: Pick<Dinner, "operator">,
  work: (headquarters: Headquarters, id: string) => Promise<void>,
): Promise<void> {
  const headquarters = await openHeadquarters();
  try {
    const { id, code } = await headquarters.addRestaurant("La Terraza");
    await dinner.operator.post("/operator/v1/chain", { address: headquarters.url, code });
    await work(headquarters, id);
  } finally {
    await headquarters.close();
  }
}
