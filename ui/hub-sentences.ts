import { valueText, type Sentence, sentenceNames, type SentenceName } from "@comanda/protocol";
import { joinWithDots } from "./join-with-dots.ts";
import { useFormat } from "./format.ts";
import texts from "./sentence-texts.json" with { type: "json" };
import type { Text } from "./texts.ts";
import { useLanguage } from "./translation.ts";

// A sentence of the hub without a text does not compile.
const sentences = texts satisfies Record<SentenceName, Text>;

/** Values that are amounts of money. */
const AMOUNTS: ReadonlySet<string> = new Set(["there", "here", "amount", "due", "giveBack"]);

/**
 * Returns a function that gives a sentence of the hub in the reader's language, or null if this page does not know its name.
 */
export function useHubSentence(): (name: string, values?: Sentence["values"]) => string | null {
  const language = useLanguage();
  const format = useFormat();
  return (name, values = {}) => {
    const found: SentenceName | undefined = sentenceNames.find((each) => each === name);
    if (found === undefined) return null;
    const shown = (key: string) => (AMOUNTS.has(key) ? format.money(Number(values[key])) : valueText(values[key]));
    return sentences[found][language].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => shown(key));
  };
}

/** Returns a function that puts stored words of the hub, such as an audit note, in the reader's language. */
export function useHubText(): (sentence: Sentence) => string {
  const hubSentence = useHubSentence();
  return ({ about, reason, values, words }) => {
    const sentence = reason === undefined ? null : hubSentence(reason, values);
    const text = joinWithDots(sentence, words);
    return about === undefined ? text : [about, text].filter(Boolean).join(": ");
  };
}
