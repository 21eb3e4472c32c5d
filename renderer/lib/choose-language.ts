import type { Language } from "@comanda/protocol";
import { changeLanguage } from "@comanda/ui/translation.ts";
import { desktopBridge } from "./desktop.ts";

/** Changes the language here and in the desktop app around the page. */
export function chooseLanguage(language: Language): void {
  void changeLanguage(language);
  void desktopBridge()?.setLanguage(language);
}
