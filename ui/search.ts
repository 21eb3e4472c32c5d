import { foldText } from "@comanda/protocol";

/** Whether the texts of a row contain every searched word, regardless of case and accents. */
export type Matcher = (...texts: (string | number | null | undefined)[]) => boolean;

/** Returns the matcher of a search. An empty search matches all rows. */
export function matcherOf(search: string): Matcher {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (...texts) => {
    const folded = foldText(texts.filter((text) => text !== null && text !== undefined).join("\n"));
    return words.every((word) => folded.includes(word));
  };
}
