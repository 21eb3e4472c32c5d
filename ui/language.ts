import type { Language } from "@comanda/protocol";

const STORED_AS = "comanda-language";

/** The chosen language; until one is chosen the system's, or Spanish when that is another one. */
export function readLanguage(): Language {
  const stored = localStorage.getItem(STORED_AS);
  if (stored === "es" || stored === "en") return stored;
  return navigator.language.toLowerCase().startsWith("en") ? "en" : "es";
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  document.documentElement.lang = language;
}
