import type { Language } from "@comanda/protocol";

const STORED_AS = "comanda-language";

/** Returns the chosen language or, until one is chosen, the system's. Spanish if the system has neither. */
export function readLanguage(): Language {
  const stored = localStorage.getItem(STORED_AS);
  if (stored === "es" || stored === "en") return stored;
  return navigator.language.toLowerCase().startsWith("en") ? "en" : "es";
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED_AS, language);
  document.documentElement.lang = language;
}
