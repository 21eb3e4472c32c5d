import { foldText } from "@comanda/protocol";

/** Whether a text of each row holds every word that is searched, whatever its case and accents. */
export type Matcher = (...texts: (string | number | null | undefined)[]) => boolean;

/** Compares rows with a search; an empty one matches all of them. */
export function matcherOf(search: string): Matcher {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (...texts) => {
    const folded = foldText(texts.filter((text) => text !== null && text !== undefined).join("\n"));
    return words.every((word) => folded.includes(word));
  };
}
