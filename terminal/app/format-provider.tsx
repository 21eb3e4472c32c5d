import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useMemo, type ReactNode } from "react";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useLive } from "../lib/connection/pos.ts";

/** Money, dates and numbers in the chosen language and the point of sale's currency, by the restaurant's clock. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const currency = useLive("menu")?.currency;
  const timeZone = useLive("learned")?.timeZone;
  const format = useMemo(() => createFormat(language, currency, timeZone), [language, currency, timeZone]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
