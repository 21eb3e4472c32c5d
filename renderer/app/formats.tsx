import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { createFormat } from "../lib/format.ts";
import { hubQuery } from "../lib/hub-query.ts";
import { FormatContext } from "../lib/use-format.ts";

/** Before the hub has told it: the currency of the country. */
const USUAL_CURRENCY = "DOP";

/** Money, dates and numbers in the chosen language and the point of sale's currency. */
export function Formats({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation();
  const { data: currency } = useQuery({
    ...hubQuery("overview", {}),
    select: (overview) => overview.detail?.currency,
  });
  const language = i18n.language === "en" ? "en" : "es";
  const format = useMemo(() => createFormat(language, currency ?? USUAL_CURRENCY), [language, currency]);
  return <FormatContext value={format}>{children}</FormatContext>;
}
