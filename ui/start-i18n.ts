import i18next, { type Resource } from "i18next";
import { initReactI18next } from "react-i18next";
import { finishGrammar } from "./grammar.ts";
import { readLanguage, rememberLanguage } from "./language.ts";

const grammar = { type: "postProcessor", name: "grammar", process: finishGrammar } as const;

/** Both languages are part of the page: changing it needs no network. */
export function startI18n(texts: { es: object; en: object }): void {
  const language = readLanguage();
  document.documentElement.lang = language;
  const { es, en } = texts;
  const resources = { es, en } as Resource;
  void i18next
    .use(initReactI18next)
    .use(grammar)
    .init({
      lng: language,
      fallbackLng: "es",
      defaultNS: "common",
      resources,
      interpolation: { escapeValue: false },
      returnNull: false,
      postProcess: grammar.name,
    });
  i18next.on("languageChanged", (next) => rememberLanguage(next === "en" ? "en" : "es"));
}
