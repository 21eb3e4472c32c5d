import type { SalesReport } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import "./sold-parts.css";

type Sales = Pick<SalesReport, "parts" | "totals">;

interface Part {
  name: string;
  amount: number;
  isSum?: boolean;
}

/** The components of the sales, one per row: net, each tax, the legal tip. Refunds and voluntary tips are separate. */
export function SoldParts({ sales }: { sales: Sales }) {
  const { t, format } = useTranslation(["sales", "common"]);
  return (
    <table className="sold-parts">
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t("part")}</th>
          <th scope="col">{t("common:amount")}</th>
        </tr>
      </thead>
      <tbody>
        {useSoldParts()(sales).map(({ name, amount, isSum = false }) => (
          <tr key={name} className={isSum ? "sold-sum" : undefined}>
            <th scope="row">{name}</th>
            <td className="num">{format.money(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the same parts as data, for paper and files. */
export function useSoldParts(): (sales: Sales) => Part[] {
  const { t } = useTranslation("sales");
  return ({ parts, totals: { paidAmount, refunds, tips = 0 } }) => {
    const refunded = refunds?.amount ?? 0;
    const net = subtract(paidAmount, refunded);
    const list: (Part | false)[] = [
      { name: t("net"), amount: parts.net },
      ...parts.taxes.map(({ name, amount }) => ({ name: name ?? t("otherTaxes"), amount })),
      parts.charges !== 0 && { name: t("charges"), amount: parts.charges },
      parts.rounding !== 0 && { name: t("rounding"), amount: parts.rounding },
      { name: t("sold"), amount: paidAmount, isSum: true },
      refunded > 0 && { name: t("givenBack"), amount: -refunded },
      refunded > 0 && { name: t("soldNet"), amount: net, isSum: true },
      tips > 0 && { name: t("tips"), amount: tips },
      tips > 0 && { name: t("taken"), amount: sum([net, tips]), isSum: true },
    ];
    return list.filter((part) => part !== false);
  };
}
