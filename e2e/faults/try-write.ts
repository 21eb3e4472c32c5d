import { createOrder, type TestBed } from "./test-bed.ts";
import type { Ledger } from "./ledger.ts";

/** Creates an order through the integration API; adds an acknowledged one to the ledger. */
export async function tryWrite(bed: TestBed, ledger: Ledger): Promise<"acknowledged" | "refused"> {
  try {
    ledger.created.push({ ...(await createOrder(bed.restaurant.hubUrl, bed.apiKey)), mark: 0 });
    return "acknowledged";
  } catch {
    return "refused";
  }
}
