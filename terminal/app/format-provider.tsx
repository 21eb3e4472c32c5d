import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useMemo, type ReactNode } from "react";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useLive } from "../lib/connection/pos.ts";

/** Money, dates and numbers in the chosen language and the point of sale's currency. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const currency = useLive("menu")?.currency;
  const format = useMemo(() => createFormat(language, currency), [language, currency]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
