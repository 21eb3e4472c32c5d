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
