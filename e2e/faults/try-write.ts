import { createOrder, type Bench } from "./data-folder.ts";

/** Asks the hub for a write of no further consequence. */
export async function tryWrite(bench: Bench): Promise<"acknowledged" | "refused"> {
  return createOrder(bench.restaurant.hubUrl, bench.apiKey).then(
    () => "acknowledged" as const,
    () => "refused" as const,
  );
}
