import type { Language } from "@comanda/protocol";
import { inLanguage, type InOneLanguage, type TextTable } from "@comanda/ui/texts.ts";
import refusal from "@comanda/ui/refusal-texts.json" with { type: "json" };
import update from "@comanda/ui/update-texts.json" with { type: "json" };
import common from "../components/texts.json" with { type: "json" };
import check from "../features/check/texts.json" with { type: "json" };
import desktop from "../features/desktop/texts.json" with { type: "json" };
import device from "../features/device/texts.json" with { type: "json" };
import floor from "../features/floor/texts.json" with { type: "json" };
import handover from "../features/staff/handover-texts.json" with { type: "json" };
import host from "../features/host/texts.json" with { type: "json" };
import inUse from "../people/in-use-texts.json" with { type: "json" };
import kitchen from "../features/kitchen/texts.json" with { type: "json" };
import kitchenMore from "../features/kitchen/more-texts.json" with { type: "json" };
import otherTab from "../features/staff/other-tab-texts.json" with { type: "json" };
import order from "../features/order/texts.json" with { type: "json" };
import pay from "../features/pay/texts.json" with { type: "json" };
import person from "../features/staff/person-texts.json" with { type: "json" };
import prints from "../features/prints/texts.json" with { type: "json" };
import recent from "../features/recent/texts.json" with { type: "json" };
import till from "../features/till/texts.json" with { type: "json" };
import training from "../features/training/texts.json" with { type: "json" };
import badge from "../features/conflicts/badge-texts.json" with { type: "json" };
import conflicts from "../features/conflicts/texts.json" with { type: "json" };
import signIn from "../features/staff/sign-in-texts.json" with { type: "json" };
import staff from "../features/staff/texts.json" with { type: "json" };

const tables = {
  common,
  refusal,
  staff,
  floor,
  order,
  check,
  pay,
  person,
  prints,
  recent,
  kitchen,
  kitchenMore,
  handover,
  host,
  inUse,
  till,
  training,
  conflicts,
  badge,
  device,
  desktop,
  update,
  otherTab,
  signIn,
} satisfies TextTable;

/** Texts of the shell, the sign-in and the kitchen, whose first load is the smallest: loaded before anything is shown. */
const first: ReadonlySet<string> = new Set(["common", "staff", "kitchen"]);

type Resources = InOneLanguage<typeof tables>;

declare module "@comanda/ui/translation.ts" {
  interface TextTables extends Resources {}
}

/** Returns all texts of one language, by feature. */
export function textsOf(language: Language): Resources {
  return inLanguage(tables, language);
}

function part(language: Language, isFirst: boolean): Partial<Resources> {
  return Object.fromEntries(Object.entries(textsOf(language)).filter(([name]) => first.has(name) === isFirst));
}

/** The modules `virtual:texts/…`, which main.tsx loads on demand. */
export const textParts = {
  "es/first": part("es", true),
  "es/others": part("es", false),
  "en/first": part("en", true),
  "en/others": part("en", false),
};
