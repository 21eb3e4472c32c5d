import type { SalesReport } from "@comanda/protocol";
import { subtract } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { isOneDay, spanOf } from "./hours-of.ts";

/** The sales of each hour as bars below each other, which a phone can show, too; hours without sales in between as well. */
export function HourChart({ hours }: Pick<SalesReport, "hours">) {
  const { t } = useTranslation("today");
  const format = useFormat();
  const rows = spanOf(hours);
  const most = Math.max(1, ...rows.map(amountOf));
  return (
    <table className="hour-chart">
      <thead>
        <tr>
          <th scope="col">{t("hour")}</th>
          <th scope="col">
            <span className="visually-hidden">{t("amount")}</span>
          </th>
          <th scope="col" className="right">
            {t("checks")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((hour) => (
          <tr key={hour.from}>
            <th scope="row">{isOneDay(hours) ? format.hour(hour.from) : format.dateTime(hour.from)}</th>
            <td>
              <span className="hour-bar">
                <span
                  className="hour-bar-fill"
                  style={{ inlineSize: `${(Math.max(0, amountOf(hour)) / most) * 100}%` }}
                  aria-hidden
                />
                <span className="num">{format.price(amountOf(hour))}</span>
              </span>
            </td>
            <td className="num right">{format.number(hour.checks)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function amountOf({ amount, refunded }: SalesReport["hours"][number]): number {
  return subtract(amount, refunded);
}
