import { isActive, type Adjustment, type Snapshot, type StoredLine } from "@comanda/protocol";
import { amountDue, amountOf, fromCents, paymentsOf, taxesByName } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue, useMethodName } from "../../components/labels.ts";
import { Table, type Column } from "../../components/tables/table.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { describeLine } from "./describe-line.ts";
import { useLineName } from "./use-line-name.ts";

/** The lines of a check with their state in the kitchen, and the sums. */
export function OrderLines({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation("orders");
  const { taxes, rounding } = useCatalogue();
  const methodName = useMethodName();
  const nameOfAdjustment = ({ kind, reason, by }: Adjustment) =>
    [t(`adjustment.${kind}`), reason, by].filter(Boolean).join(" · ");
  const { totals, adjustments = [] } = snapshot;
  const payments = paymentsOf(snapshot);
  const paid = amountOf(payments);
  return (
    <div className="order-part">
      <h3>{t("items")}</h3>
      <Table
        className="order-lines"
        columns={useColumns()}
        rows={snapshot.lines}
        rowKey={(line) => line.id}
        rowClass={(line) => (line.voided === true ? "voided" : undefined)}
        foot={
          <>
            <Sum name={t("subtotal")} amount={totals.subtotal} />
            {taxesByName(snapshot, { taxes, rounding }, t("otherTaxes")).map(({ name, cents }) => (
              <Sum key={name} name={name} amount={fromCents(cents)} />
            ))}
            {adjustments.map((adjustment, index) => (
              // Adjustments have no id and are never reordered.
              // oxlint-disable-next-line react/no-array-index-key
              <Sum key={index} name={nameOfAdjustment(adjustment)} amount={adjustment.amount} />
            ))}
            <Sum name={t("total")} amount={totals.total} strong />
            {payments.map((payment, index) => (
              // Payments have no id and are never reordered.
              // oxlint-disable-next-line react/no-array-index-key
              <Sum key={index} name={methodName(payment.methodId)} amount={payment.amount} />
            ))}
            {isActive(snapshot.status) && payments.length > 0 && (
              <>
                <Sum name={t("paidSoFar")} amount={paid} strong />
                <Sum name={t("due")} amount={amountDue(snapshot)} strong />
              </>
            )}
          </>
        }
      />
    </div>
  );
}

function useColumns(): Column<StoredLine>[] {
  const { t, format } = useTranslation(["orders", "common"]);
  const nameOf = useLineName();
  const stateOf = (line: StoredLine) => {
    if (line.voided === true) return t(line.comp === true ? "comp" : "voided");
    const { voidedQuantity = 0 } = line;
    const part = voidedQuantity > 0 ? [t("voidedPart", { quantity: format.quantity(voidedQuantity) })] : [];
    return [...part, kitchenStateOf(line)].join(" · ");
  };
  const kitchenStateOf = (line: StoredLine) => {
    if (line.sentQuantity === undefined) return t("notSent");
    return t("inKitchen", {
      prepared: format.quantity(line.preparedQuantity ?? 0),
      sent: format.quantity(line.sentQuantity),
    });
  };
  const allergyOf = ({ allergy }: StoredLine) =>
    allergy != null && allergy !== "" && t("common:allergy", { what: allergy });
  return [
    { header: t("quantity"), className: "num", cell: (line) => format.quantity(line.quantity) },
    {
      header: t("item"),
      cell: (line) => (
        <>
          {nameOf(line)}
          {describeLine(line, { t, format }).map((detail, index) => (
            // The same modifier may be chosen twice; details are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className="line-sub">
              {detail}
            </span>
          ))}
          <span className="line-sub">
            {[stateOf(line), line.voidReason, line.note, line.specialRequest, allergyOf(line)]
              .filter(Boolean)
              .join(" · ")}
          </span>
          {line.menuCheck !== undefined && (
            <span className="line-sub line-warn">{t(`menuCheck.${line.menuCheck}`)}</span>
          )}
        </>
      ),
    },
    { header: t("total"), numeric: true, cell: (line) => (line.total === undefined ? "" : format.money(line.total)) },
  ];
}

function Sum({ name, amount, strong = false }: { name: string; amount: number; strong?: boolean }) {
  const format = useFormat();
  const Weight = strong ? "strong" : "span";
  return (
    <tr>
      <td />
      <td className="right">
        <Weight>{name}</Weight>
      </td>
      <td className="right num">
        <Weight>{format.money(amount)}</Weight>
      </td>
    </tr>
  );
}
