import type { SalesReport } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { percentChange } from "@comanda/ui/percent-change.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { compareSales } from "./compare-sales.ts";
import { comparisonPeriod, type Period } from "./period.ts";
import { salesOfDays } from "./sales-query.ts";
import { usePeriodName } from "./use-period-name.ts";

/** Compares a period with the one before it. Renders nothing if they cannot be compared. */
export function Compared({ period, report }: { period: Period; report: SalesReport }) {
  const { t, format, language } = useTranslation("today");
  const { long } = usePeriodName();
  const rival = comparisonPeriod(period);
  const { data: before } = useQuery(salesOfDays(rival));
  const compared = before === undefined ? null : compareSales(period, report, rival, before);
  if (compared === null) return null;
  const change = (name: "sales" | "checks"): string =>
    percentChange(language, compared.now[name], compared.before[name]);
  const whole = period.kind === "day" ? "comparedDay" : "compared";
  return (
    <p className="soft no-margin">
      {t(compared.isPart ? "comparedPart" : whole, {
        before: long(rival),
        sales: change("sales"),
        checks: change("checks"),
        amount: format.money(compared.before.sales),
      })}
    </p>
  );
}
