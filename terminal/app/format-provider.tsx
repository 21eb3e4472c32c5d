import { createFormat, FormatContext } from "@comanda/ui/format.ts";
import { useMemo, type ReactNode } from "react";
import { useLanguage } from "@comanda/ui/translation.ts";
import { useLive } from "../lib/connection/pos.ts";

/** Provides formats in the chosen language, the point of sale's currency and the restaurant's time zone. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const currency = useLive("menu")?.currency;
  const timeZone = useLive("learned")?.timeZone;
  const format = useMemo(() => createFormat(language, currency, timeZone), [language, currency, timeZone]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
