import type { UnappliedPayment } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import type { Action } from "../../components/action-button.tsx";
import { useErrorText } from "../../components/labels.ts";
import { Loaded } from "../../components/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useFormat } from "../../lib/format.ts";

export const openPayments = { query: { state: "open", limit: 200 } } as const;
const settledPayments = { query: { state: "settled", limit: 200 } } as const;

/** Payments that were taken and could not be applied to their checks. */
export function PaymentTable() {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const payments = useHub("payments", openPayments);
  const settled = useHub("payments", settledPayments).data?.payments ?? [];
  const columns = useColumns();
  const rowKey = (payment: UnappliedPayment) => payment.paymentId;
  const settle = ({ paymentId, posReference, amount }: UnappliedPayment): Action => ({
    label: t("settle"),
    name: t("settleOf", { reference: posReference }),
    confirm: {
      title: t("settleTitle", { amount: format.money(amount) }),
      body: t("settleBody"),
      note: t("settleNote"),
    },
    run: (note) => callHub("settlePayment", { params: { paymentId }, body: { note } }),
    done: t("settled"),
  });
  const apply = ({ paymentId, posReference, amount, due }: UnappliedPayment): Action => ({
    label: t("apply"),
    name: t("applyOf", { reference: posReference }),
    primary: true,
    confirm: {
      title: t("applyTitle", { amount: format.money(amount), reference: posReference }),
      body:
        due === null
          ? t("applyCreates")
          : amount < due
            ? t("applyPart", { rest: format.money(due - amount) })
            : amount > due
              ? t("applyTooMuch", { excess: format.money(amount - due) })
              : t("applyExact"),
    },
    run: () => callHub("applyPayment", { params: { paymentId }, body: {} }),
    done: t("applied"),
  });
  const actionsOf = (payment: UnappliedPayment) =>
    payment.due !== null || (payment.orderStatus === null && payment.hasContent)
      ? [apply(payment), settle(payment)]
      : [settle(payment)];
  return (
    <Panel title={t("unapplied")} about={t("unappliedAbout")} flush>
      <Loaded query={payments}>
        {(page) => (
          <Table
            columns={columns}
            rows={page.payments}
            rowKey={rowKey}
            actions={actionsOf}
            empty={{ title: t("noUnappliedTitle"), children: t("noUnapplied") }}
          />
        )}
      </Loaded>
      {settled.length > 0 && (
        <details className="fold">
          <summary>
            {t("settledList")} ({settled.length})
          </summary>
          <Table columns={columns} rows={settled} rowKey={rowKey} />
        </details>
      )}
    </Panel>
  );
}

function useColumns(): Column<UnappliedPayment>[] {
  const { t } = useTranslation("backOffice");
  const errorText = useErrorText();
  const format = useFormat();
  return [
    { header: t("order"), cell: (payment) => <OrderLink posReference={payment.posReference} /> },
    { header: t("amount"), numeric: true, cell: (payment) => format.money(payment.amount) },
    { header: t("taken"), className: "num", cell: (payment) => format.dateTime(payment.takenAt ?? payment.receivedAt) },
    {
      header: t("takenBy"),
      cell: (payment) => (
        <>
          {payment.userName} <span className="soft">{payment.terminalId}</span>
        </>
      ),
    },
    {
      header: t("reason"),
      cell: ({ errorCode, error, settled }) => {
        const known = errorText(errorCode);
        return (
          <>
            <div className="error-text">{known ?? error}</div>
            {known !== null && <div className="soft">{error}</div>}
            {settled !== null && (
              <div className="soft">
                {settled.by}: {settled.note}
              </div>
            )}
          </>
        );
      },
    },
  ];
}
