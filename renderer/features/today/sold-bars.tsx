import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

interface SoldBar {
  key: string;
  name: ReactNode;
  checks: number;
  /** What was given back is taken off. */
  amount: number;
}

/** Sales in the order of time as bars below each other, which a phone can show, too. */
export function SoldBars({ header, bars }: { header: string; bars: readonly SoldBar[] }) {
  const { t, format } = useTranslation(["today", "common"]);
  const most = Math.max(1, ...bars.map(({ amount }) => amount));
  return (
    <table className="hour-chart">
      <thead>
        <tr>
          <th scope="col">{header}</th>
          <th scope="col">
            <span className="visually-hidden">{t("common:amount")}</span>
          </th>
          <th scope="col" className="right">
            {t("checks")}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, checks, amount }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td>
              <span className="row hour-bar">
                <span
                  className="hour-bar-fill"
                  style={{ inlineSize: `${(Math.max(0, amount) / most) * 100}%` }}
                  aria-hidden
                />
                <span className="num">{format.price(amount)}</span>
              </span>
            </td>
            <td className="num right">{format.number(checks)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
