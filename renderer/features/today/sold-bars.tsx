import { subtract } from "@comanda/rules";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

interface SoldBar {
  key: string;
  name: ReactNode;
  checks: number;
  amount: number;
  refunded: number;
}

/** Sales less refunds over time, as bars below each other, which also fit a phone. */
export function SoldBars({ header, bars }: { header: string; bars: readonly SoldBar[] }) {
  const { t, format } = useTranslation(["today", "common"]);
  const netOf = ({ amount, refunded }: SoldBar) => subtract(amount, refunded);
  const max = Math.max(1, ...bars.map(netOf));
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
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row">{bar.name}</th>
            <td>
              <span className="row hour-bar">
                <span
                  className="hour-bar-fill"
                  style={{ inlineSize: `${(Math.max(0, netOf(bar)) / max) * 100}%` }}
                  aria-hidden
                />
                <span className="num">{format.price(netOf(bar))}</span>
              </span>
            </td>
            <td className="num right">{format.number(bar.checks)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
