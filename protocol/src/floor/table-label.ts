import type { Language } from "../basics/language.ts";

const BARE_NUMBER = /^[\d.\- ]+[A-Za-z]?$/;

const prefixes: Record<Language, string> = { es: "Mesa", en: "Table" };

/** Returns "Mesa 4" for a table named just "4". Any other name is returned unchanged. */
export function tableLabel(name: string, language: Language): string {
  return BARE_NUMBER.test(name) ? `${prefixes[language]} ${name}` : name;
}
