import type { Language } from "@comanda/protocol";
import { inLanguage, type InOneLanguage, type TextTable } from "@comanda/ui/texts.ts";
import setting from "@comanda/ui/setting-texts.json" with { type: "json" };
import common from "../components/texts.json" with { type: "json" };
import alert from "../components/alert-texts.json" with { type: "json" };
import failure from "../components/failure-texts.json" with { type: "json" };
import alerts from "../features/alerts/texts.json" with { type: "json" };
import fleet from "../features/fleet/texts.json" with { type: "json" };
import now from "../features/now/texts.json" with { type: "json" };
import people from "../features/people/texts.json" with { type: "json" };
import proposals from "../features/proposals/texts.json" with { type: "json" };
import restaurant from "../features/restaurant/texts.json" with { type: "json" };
import sales from "../features/sales/texts.json" with { type: "json" };
import signIn from "../features/sign-in/texts.json" with { type: "json" };
import shell from "./texts.json" with { type: "json" };

const tables = {
  shell,
  common,
  failure,
  alert,
  now,
  sales,
  alerts,
  proposals,
  restaurant,
  fleet,
  people,
  signIn,
  setting,
} satisfies TextTable;

type Resources = InOneLanguage<typeof tables>;

declare module "@comanda/ui/translation.ts" {
  interface TextTables extends Resources {}
}

/** Returns all texts of one language, by feature. */
export function textsOf(language: Language): Resources {
  return inLanguage(tables, language);
}
