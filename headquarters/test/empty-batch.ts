import type { ChainBatch } from "@comanda/protocol/chain.ts";

/** What a batch holds when nothing has happened. */
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
