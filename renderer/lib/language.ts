import { Language } from "@comanda/protocol";

const STORED_AS = "comanda-language";

/** The chosen language; until one is chosen the system's, or Spanish when that is another one. */
export function readLanguage(): Language {
  const stored = Language.safeParse(localStorage.getItem(STORED_AS));
  if (stored.success) return stored.data;
  return navigator.language.toLowerCase().startsWith("en") ? "en" : "es";
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  document.documentElement.lang = language;
}

/** A text in both languages. */
export type Text = readonly [es: string, en: string];

/** Texts by name, each beside its translation. */
export interface TextTable {
  readonly [name: string]: Text | TextTable;
}

type InOneLanguage<T> = { [K in keyof T]: T[K] extends Text ? string : InOneLanguage<T[K]> };

/** A table of texts as one table per language. */
export function splitTexts<const T>(table: T & TextTable): Record<Language, InOneLanguage<T>> {
  return { es: pick(table, 0), en: pick(table, 1) } as Record<Language, InOneLanguage<T>>;
}

function pick(table: TextTable, index: 0 | 1): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [name, isText(text) ? text[index] : pick(text, index)]),
  );
}

function isText(value: Text | TextTable): value is Text {
  return Array.isArray(value);
}
