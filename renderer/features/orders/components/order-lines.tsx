import type { Snapshot, StoredLine } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";

/** What is on the check, what the kitchen has of it, and what it comes to. */
export function OrderLines({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation("orders");
  const { paymentMethods } = useCatalogue();
  const { totals, payments = [] } = snapshot;
  return (
    <div className="order-part">
      <h3>{t("lines")}</h3>
      <table className="order-lines">
        <thead>
          <tr>
            <th scope="col">{t("quantity")}</th>
            <th scope="col">{t("item")}</th>
            <th scope="col" className="right">
              {t("total")}
            </th>
          </tr>
        </thead>
        <tbody>
          {snapshot.lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </tbody>
        <tfoot>
          <Sum name={t("subtotal")} amount={totals.subtotal} />
          <Sum name={t("tax")} amount={totals.tax} />
          <Sum name={t("total")} amount={totals.total} strong />
          {payments.map((payment, index) => (
            // Payments have no id of their own and are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <Sum
              key={index}
              name={paymentMethods[payment.methodId] ?? String(payment.methodId)}
              amount={payment.amount}
            />
          ))}
        </tfoot>
      </table>
    </div>
  );
}

function Sum({ name, amount, strong = false }: { name: string; amount: number; strong?: boolean }) {
  const format = useFormat();
  return (
    <tr>
      <td />
      <td className="right">{strong ? <strong>{name}</strong> : name}</td>
      <td className="right num">{strong ? <strong>{format.money(amount)}</strong> : format.money(amount)}</td>
    </tr>
  );
}

function Line({ line }: { line: StoredLine }) {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const { products } = useCatalogue();
  const named = line["name"];
  const name =
    (line.productId === undefined ? undefined : products[line.productId]) ??
    (typeof named === "string" ? named : String(line.productId ?? line.id));
  const kitchen =
    line.sentQuantity === undefined
      ? t("notSent")
      : t("inKitchen", { prepared: line.preparedQuantity ?? 0, sent: line.sentQuantity });
  return (
    <tr className={line.voided === true ? "line-voided" : undefined}>
      <td className="num">{format.number(line.quantity)}</td>
      <td>
        {name}
        <span className="line-sub">
          {[line.voided === true ? t("voided") : kitchen, line.note, line.specialRequest].filter(Boolean).join(" · ")}
        </span>
      </td>
      <td className="right num">{line.total === undefined ? "" : format.money(line.total)}</td>
    </tr>
  );
}
