import type { BackOfficeErrorCode, Language } from "@comanda/protocol";
import { inLanguage, type InOneLanguage, type Text, type TextTable } from "@comanda/ui/texts.ts";
import refusal from "@comanda/ui/refusal-texts.json" with { type: "json" };
import sentence from "@comanda/ui/sentence-texts.json" with { type: "json" };
import setting from "@comanda/ui/setting-texts.json" with { type: "json" };
import update from "@comanda/ui/update-texts.json" with { type: "json" };
import backOfficeReason from "../components/failures/back-office-texts.json" with { type: "json" };
import fiscal from "../components/fiscal-texts.json" with { type: "json" };
import issue from "../components/failures/issue-texts.json" with { type: "json" };
import printing from "../components/printing-texts.json" with { type: "json" };
import sales from "../components/sales-texts.json" with { type: "json" };
import common from "../components/texts.json" with { type: "json" };
import type { SharedCode } from "../components/failures/back-office-reason.ts";
import backOffice from "../features/back-office/texts.json" with { type: "json" };
import integrations from "../features/integrations/texts.json" with { type: "json" };
import kitchen from "../features/kitchen/texts.json" with { type: "json" };
import orders from "../features/orders/texts.json" with { type: "json" };
import printers from "../features/printers/texts.json" with { type: "json" };
import reservations from "../features/reservations/texts.json" with { type: "json" };
import search from "../features/search/texts.json" with { type: "json" };
import service from "../features/service/texts.json" with { type: "json" };
import setup from "../features/setup/texts.json" with { type: "json" };
import signIn from "../features/sign-in/texts.json" with { type: "json" };
import status from "../features/status/texts.json" with { type: "json" };
import { systemTexts } from "../features/system/texts.ts";
import tills from "../features/tills/texts.json" with { type: "json" };
import today from "../features/today/texts.json" with { type: "json" };
import terminals from "../features/terminals/texts.json" with { type: "json" };
import shell from "./shell-texts.json" with { type: "json" };

const tables = {
  common,
  sales,
  refusal,
  sentence,
  // A back-office error code without a text does not compile.
  backOfficeReason: backOfficeReason satisfies { code: Record<Exclude<BackOfficeErrorCode, SharedCode>, Text> },
  issue,
  printing,
  fiscal,
  shell,
  status,
  search,
  signIn,
  service,
  orders,
  tills,
  today,
  terminals,
  kitchen,
  backOffice,
  integrations,
  reservations,
  printers,
  system: systemTexts,
  setup,
  setting,
  update,
} satisfies TextTable;

type Resources = InOneLanguage<typeof tables>;

declare module "@comanda/ui/translation.ts" {
  interface TextTables extends Resources {}
}

/** Returns all texts of one language, by feature. */
export function textsOf(language: Language): Resources {
  return inLanguage(tables, language);
}
