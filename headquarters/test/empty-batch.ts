import type { ChainBatch } from "@comanda/protocol/chain.ts";

/** Returns the content of a batch without changes. */
export function emptyBatch() {
  return {
    hub: { version: "0.1.0" },
    orders: [],
    removed: [],
    tables: [],
    items: [],
    factsAfter: 0,
    facts: [],
  } satisfies Partial<ChainBatch>;
}
