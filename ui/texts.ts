import type { Language } from "@comanda/protocol";

/** A text in both languages. */
export type Text = Record<Language, string>;

/** Texts by name, each with its translation. */
export interface TextTable {
  readonly [name: string]: Text | TextTable;
}

/** A table in one language. */
export type InOneLanguage<T> = { [K in keyof T]: T[K] extends Text ? string : InOneLanguage<T[K]> };

/** Returns all texts of a table in one language. */
export function inLanguage<T extends TextTable>(table: T, language: Language): InOneLanguage<T> {
  return pick(table, language) as InOneLanguage<T>;
}

function pick(table: TextTable, language: Language): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [name, isText(text) ? text[language] : pick(text, language)]),
  );
}

function isText(value: Text | TextTable): value is Text {
  return typeof value["es"] === "string";
}
