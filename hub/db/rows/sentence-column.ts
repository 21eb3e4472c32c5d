import type { Sentence } from "@comanda/protocol";
import { parseColumn } from "./parse-column.ts";

export function sentenceColumn(sentence: Sentence): string {
  return JSON.stringify(sentence);
}

/** Parses a column that contains a `Sentence`; damaged JSON becomes its plain words. */
export function readSentence(text: string): Sentence {
  return parseColumn<Sentence>(text, { words: text });
}

export function readSentenceOrNull(text: string | null): Sentence | null {
  return text === null ? null : readSentence(text);
}

/** Returns SQL for the free text (`words`) in such a column, for searches; NULL if it has none. */
export function messageSql(column: string): string {
  return `CASE WHEN json_valid(${column}) THEN ${column} ->> '$.words' END`;
}
