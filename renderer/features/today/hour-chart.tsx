import type { SalesReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isOneDay, fillHours } from "./hours-of.ts";
import { SoldBars } from "./sold-bars.tsx";

/** The sales of each hour, including hours without sales in between. */
export function HourChart({ hours }: Pick<SalesReport, "hours">) {
  const { t, format } = useTranslation("today");
  const nameOf = isOneDay(hours) ? format.hour : format.dateTime;
  const bars = fillHours(hours).map((hour) => ({ ...hour, key: hour.from, name: nameOf(hour.from) }));
  return <SoldBars header={t("hour")} bars={bars} />;
}
