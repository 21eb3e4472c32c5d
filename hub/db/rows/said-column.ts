import type { Said } from "@comanda/protocol";
import { parseColumn } from "./parse-column.ts";

export function saidColumn(said: Said): string {
  return JSON.stringify(said);
}

/** What a column says; a damaged one is shown as it is. */
export function readSaid(text: string): Said {
  return parseColumn<Said>(text, { words: text });
}

export function readSaidOrNull(text: string | null): Said | null {
  return text === null ? null : readSaid(text);
}

/** SQL for the words of somebody else in such a column: what can be searched for. */
export function wordsOf(column: string): string {
  return `CASE WHEN json_valid(${column}) THEN ${column} ->> '$.words' END`;
}
