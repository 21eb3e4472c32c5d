import type { Said } from "@comanda/protocol";
import { parseColumn } from "./parse-column.ts";

export function saidColumn(said: Said): string {
  return JSON.stringify(said);
}

/** Parses a column that contains a `Said`; damaged JSON becomes its plain words. */
export function readSaid(text: string): Said {
  return parseColumn<Said>(text, { words: text });
}

export function readSaidOrNull(text: string | null): Said | null {
  return text === null ? null : readSaid(text);
}

/** Returns SQL for the free text (`words`) in such a column, for searches; NULL if it has none. */
export function wordsOf(column: string): string {
  return `CASE WHEN json_valid(${column}) THEN ${column} ->> '$.words' END`;
}
