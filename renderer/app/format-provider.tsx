import { useMemo, type ReactNode } from "react";
import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useHub } from "../lib/hub.ts";

/** The currency of the country, until the hub has answered. */
const DEFAULT_CURRENCY = "DOP";

/** Money, dates and numbers in the chosen language and the point of sale's currency. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const { data: overview } = useHub("overview");
  const currency = overview?.detail?.currency;
  const timeZone = overview?.hub.timeZone;
  const format = useMemo(
    () => createFormat(language, currency ?? DEFAULT_CURRENCY, timeZone),
    [language, currency, timeZone],
  );
  return <FormatContext value={format}>{children}</FormatContext>;
}
