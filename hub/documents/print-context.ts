import type { PosConfig } from "@comanda/protocol";
import { type PaperHouse, paperHouse } from "@comanda/rules";

/** Returns the restaurant's data for documents, rebuilt when the configuration changes. */
export function createPrintContext(config: () => PosConfig | null, timeZone: string): () => PaperHouse {
  let made: { from: PosConfig | null; house: PaperHouse } | null = null;
  return () => {
    const from = config();
    if (made?.from !== from || made === null) made = { from, house: paperHouse(from, timeZone) };
    return made.house;
  };
}
