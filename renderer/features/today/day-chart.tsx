import type { SalesReport } from "@comanda/protocol";
import { Link } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { soldDays } from "./days-of.ts";
import type { Period } from "./period.ts";
import { SoldBars } from "./sold-bars.tsx";
import { usePeriodName } from "./use-period-name.ts";

/** The sales of each day, with a link to the day. */
export function DayChart({ period, report }: { period: Period; report: SalesReport }) {
  const { t } = useTranslation("today");
  const { short } = usePeriodName();
  const bars = soldDays(period, report).map((sold) => ({
    ...sold,
    key: sold.day,
    name: <Link href={`/today/${sold.day}`}>{short(sold.day)}</Link>,
  }));
  return <SoldBars header={t("kind.day")} bars={bars} />;
}
