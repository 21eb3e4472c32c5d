import type { SalesReport } from "@comanda/protocol";
import { subtract } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isOneDay, spanOf } from "./hours-of.ts";
import { SoldBars } from "./sold-bars.tsx";

/** The sales of each hour; hours without sales in between as well. */
export function HourChart({ hours }: Pick<SalesReport, "hours">) {
  const { t, format } = useTranslation("today");
  const nameOf = isOneDay(hours) ? format.hour : format.dateTime;
  const bars = spanOf(hours).map(({ from, checks, amount, refunded }) => ({
    key: from,
    name: nameOf(from),
    checks,
    amount: subtract(amount, refunded),
  }));
  return <SoldBars header={t("hour")} bars={bars} />;
}
