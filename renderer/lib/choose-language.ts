import { changeLanguage } from "@comanda/ui/translation.ts";
import { desktopBridge } from "./desktop.ts";

/** Changes the language here and in the desktop app around the page. */
export function chooseLanguage(language: string): void {
  const next = language === "en" ? "en" : "es";
  void changeLanguage(next);
  void desktopBridge()?.setLanguage(next);
}
