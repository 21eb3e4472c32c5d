// A page keeps its language in local storage, which is empty for each new address of the hub. The app keeps it in its settings
// and adds it to the address. The preload script stores it before the page's own code runs.
import type { Language } from "@comanda/protocol";
import { builtInOrigin } from "./app-addresses.ts";
import { type PageWithAddress, takeParameter, withParameter } from "./page-address.ts";

/** The screens' storage key (ui/language.ts). */
const STORED_AS = "comanda-language";

/** Adds the operator's language to a page's address. The built-in page reads the settings itself. */
export function withLanguage(address: string, language: Language): string {
  return address.startsWith(builtInOrigin) ? address : withParameter(address, "lang", language);
}

/** Moves the language from the address to local storage. */
export function restoreLanguage(
  page: PageWithAddress & { localStorage: { setItem: (key: string, value: string) => void } },
): void {
  const language = takeParameter(page, "lang");
  if (language === "es" || language === "en") page.localStorage.setItem(STORED_AS, language);
}
