import { createOrder, type Bench } from "./data-folder.ts";
import type { Ledger } from "./ledger.ts";

/** Asks the hub for an order through the integration API; what it promises goes into the ledger. */
export async function tryWrite(bench: Bench, ledger: Ledger): Promise<"acknowledged" | "refused"> {
  try {
    ledger.created.push({ ...(await createOrder(bench.restaurant.hubUrl, bench.apiKey)), mark: 0 });
    return "acknowledged";
  } catch {
    return "refused";
  }
}
