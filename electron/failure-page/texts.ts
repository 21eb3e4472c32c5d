import type { Language } from "@comanda/protocol";
import { inLanguage, type InOneLanguage, type Text } from "@comanda/ui/texts.ts";
import setting from "@comanda/ui/setting-texts.json" with { type: "json" };
import type { Failure } from "./failure.ts";
import texts from "./texts.json" with { type: "json" };

/** Makes a reason without texts a compile error. */
type OfEveryReason = Record<Failure["reason"], Text>;

const tables = { failure: texts satisfies { title: OfEveryReason; meaning: OfEveryReason }, setting };

type Resources = InOneLanguage<typeof tables>;

declare module "@comanda/ui/translation.ts" {
  interface TextTables extends Resources {}
}

/** Returns all texts of the page in one language. */
export function textsOf(language: Language): Resources {
  return inLanguage(tables, language);
}
