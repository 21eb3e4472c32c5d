import { Language } from "@comanda/protocol";

const STORED_AS = "comanda-language";

/** The language that was chosen; before that the system's, and Spanish when that is neither. */
export function readLanguage(): Language {
  const stored = Language.safeParse(localStorage.getItem(STORED_AS));
  if (stored.success) return stored.data;
  return navigator.language.toLowerCase().startsWith("en") ? "en" : "es";
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  document.documentElement.lang = language;
}

/** The shape of the other languages: the same keys as the Spanish texts, any words. */
export type SameKeys<T> = { [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };
