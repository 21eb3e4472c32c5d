import type { Language } from "../basics/language.ts";

const BARE_NUMBER = /^[\d.\- ]+[A-Za-z]?$/;

const words: Record<Language, string> = { es: "Mesa", en: "Table" };

/** "Mesa 4" for a table that is named just "4"; a name that says more stays as it is. */
export function tableLabel(name: string, language: Language): string {
  return BARE_NUMBER.test(name) ? `${words[language]} ${name}` : name;
}
