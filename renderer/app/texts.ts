import type { Language } from "@comanda/protocol";
import failures from "../components/failure-texts.json" with { type: "json" };
import fiscal from "../components/fiscal-texts.json" with { type: "json" };
import common from "../components/texts.json" with { type: "json" };
import backOffice from "../features/back-office/texts.json" with { type: "json" };
import integrations from "../features/integrations/texts.json" with { type: "json" };
import kitchen from "../features/kitchen/texts.json" with { type: "json" };
import orders from "../features/orders/texts.json" with { type: "json" };
import reservations from "../features/reservations/texts.json" with { type: "json" };
import service from "../features/service/texts.json" with { type: "json" };
import setup from "../features/setup/texts.json" with { type: "json" };
import signIn from "../features/sign-in/texts.json" with { type: "json" };
import status from "../features/status/texts.json" with { type: "json" };
import { systemTexts } from "../features/system/texts.ts";
import terminals from "../features/terminals/texts.json" with { type: "json" };
import update from "../features/update/texts.json" with { type: "json" };
import type { FailureCode } from "../lib/hub-failure.ts";
import shell from "./shell-texts.json" with { type: "json" };

/** A text in both languages. */
type Text = Record<Language, string>;

/** Texts by name, each beside its translation. */
interface TextTable {
  readonly [name: string]: Text | TextTable;
}

type InOneLanguage<T> = { [K in keyof T]: T[K] extends Text ? string : InOneLanguage<T[K]> };

const tables = {
  common,
  // A code without a text does not compile.
  failures: failures satisfies Record<FailureCode, { what: Text; todo: Text }>,
  fiscal,
  shell,
  status,
  signIn,
  service,
  orders,
  terminals,
  kitchen,
  backOffice,
  integrations,
  reservations,
  system: systemTexts,
  setup,
  update,
} satisfies TextTable;

type Resources = InOneLanguage<typeof tables>;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Resources;
  }
}

/** All texts of one language, by feature. */
export function textsOf(language: Language): Resources {
  return pick(tables, language) as Resources;
}

function pick(table: TextTable, language: Language): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [name, isText(text) ? text[language] : pick(text, language)]),
  );
}

function isText(value: Text | TextTable): value is Text {
  return typeof value["es"] === "string";
}
