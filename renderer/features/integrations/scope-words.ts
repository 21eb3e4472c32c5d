import type { Scope } from "@comanda/protocol";
import { integrationsTexts } from "./texts.ts";

/** What a scope allows, in words. Looked up directly: the colon in a scope's name means something else to the translator. */
export function scopeWords(scope: Scope, language: string): string {
  return integrationsTexts[language === "en" ? "en" : "es"].scope[scope];
}
