import { changeLanguage } from "@comanda/ui/translation.ts";
import { desktopBridge } from "./desktop.ts";

/** Changes the language of this page and of the desktop app around it. */
export function chooseLanguage(language: string): void {
  const next = language === "en" ? "en" : "es";
  void changeLanguage(next);
  void desktopBridge()?.setLanguage(next);
}
