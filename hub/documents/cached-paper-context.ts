import type { PosConfig } from "@comanda/protocol";
import { type PaperContext, createPaperContext } from "@comanda/rules";

/** Returns the restaurant's data for documents, rebuilt when the configuration changes. */
export function createCachedPaperContext(config: () => PosConfig | null, timeZone: string): () => PaperContext {
  let made: { from: PosConfig | null; paperContext: PaperContext } | null = null;
  return () => {
    const from = config();
    if (made?.from !== from || made === null) made = { from, paperContext: createPaperContext(from, timeZone) };
    return made.paperContext;
  };
}
