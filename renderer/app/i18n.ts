import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { readLanguage, rememberLanguage } from "../lib/language.ts";
import { textsOf } from "./texts.ts";

/** Both languages are part of the page: changing it needs no network. */
export function startI18n(): void {
  const language = readLanguage();
  document.documentElement.lang = language;
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "es",
    defaultNS: "common",
    resources: { es: textsOf("es"), en: textsOf("en") },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  i18next.on("languageChanged", (next) => rememberLanguage(next === "en" ? "en" : "es"));
}
