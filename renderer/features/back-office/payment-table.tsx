import type { UnappliedPayment } from "@comanda/protocol";
import { refusalTexts } from "@comanda/ui/refusal-texts.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { FoldedTable } from "../../components/tables/folded-table.tsx";
import { LoadedQuietly, LoadedTable } from "../../components/tables/loaded.tsx";
import { useMethodName } from "../../components/labels.ts";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import type { Column } from "../../components/tables/table.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";

export const openPayments = { query: { state: "open", limit: 200 } } as const;
const settledPayments = { query: { state: "settled", limit: 200 } } as const;

/** Payments that were taken but could not be applied to their checks. */
export function PaymentTable() {
  const { t, format } = useTranslation("backOffice");
  const payments = useHub("payments", openPayments);
  const settled = useHub("payments", settledPayments);
  const columns = useColumns();
  const applyEffect = useApplyEffect();
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
  const apply = (payment: UnappliedPayment): Action => ({
    label: t("apply"),
    name: t("applyOf", { reference: payment.posReference }),
    primary: true,
    confirm: {
      title: t("applyTitle", { amount: format.money(payment.amount), reference: payment.posReference }),
      body: applyEffect(payment),
    },
    run: async () => {
      const { applied, due, giveBack } = await callHub("applyPayment", {
        params: { paymentId: payment.paymentId },
        body: {},
      });
      const rest = [
        due > 0 ? t("appliedDue", { amount: format.money(due) }) : t("appliedPaid"),
        giveBack > 0 && t("appliedGiveBack", { amount: format.money(giveBack) }),
      ];
      // The notice stays if the manager now has to collect or give back money.
      notify(rest.filter(Boolean).join(" "), {
        title: t("applied", { amount: format.money(applied), reference: payment.posReference }),
        isPersistent: due > 0 || giveBack > 0,
      });
    },
  });
  const unauthorized = (payments.data?.payments ?? []).filter(({ isUnauthorized }) => isUnauthorized);
  const settleUnauthorized: Action = {
    label: t("settleUnauthorized"),
    confirm: { body: t("settleUnauthorizedBody"), note: t("settleNote") },
    run: (note) => callHub("settleUnauthorizedPayments", { body: { note } }),
    done: t("unauthorizedSettled"),
  };
  return (
    <Panel
      title={t("unapplied")}
      about={t("unappliedAbout")}
      actions={unauthorized.length > 1 ? <ActionButton {...settleUnauthorized} size="xs" /> : undefined}
      flush
    >
      <LoadedTable
        query={payments}
        columns={columns}
        rows={(page) => page.payments}
        rowKey={rowKey}
        actions={(payment) => (canApply(payment) ? [apply(payment), settle(payment)] : [settle(payment)])}
        empty={{ title: t("noUnappliedTitle"), children: t("noUnapplied") }}
      />
      <LoadedQuietly query={settled}>
        {(page) => <FoldedTable title={t("settledList")} columns={columns} rows={page.payments} rowKey={rowKey} />}
      </LoadedQuietly>
    </Panel>
  );
}

/** Whether the payment can be applied: its check takes payments, or the content sent with it creates the check. */
function canApply(payment: UnappliedPayment): boolean {
  return payment.due !== null || addsCheck(payment);
}

function addsCheck({ orderStatus, removed, hasContent }: UnappliedPayment): boolean {
  return orderStatus === null && !removed && hasContent;
}

function useApplyEffect(): (payment: UnappliedPayment) => string {
  const { t, format } = useTranslation("backOffice");
  return ({ posReference, amount, due }) => {
    if (due === null) return t("applyCreates", { reference: posReference });
    const values = { due: format.money(due), reference: posReference };
    if (amount < due) return t("applyPart", { ...values, rest: format.money(due - amount) });
    if (amount > due) return t("applyTooMuch", { ...values, rest: format.money(amount - due) });
    return t("applyWhole", values);
  };
}

/** Returns a function that describes how a payment was made, for giving it back: method, foreign currency and tip. */
function useHowPaid(): (payment: UnappliedPayment["payments"][number]) => string {
  const { t, format } = useTranslation("backOffice");
  const nameOf = useMethodName();
  return ({ methodId, foreign, tip = 0 }) =>
    [
      nameOf(methodId),
      foreign !== undefined && `${foreign.currency} ${format.number(foreign.amount)}`,
      tip !== 0 && t("tipsWithIt", { amount: format.money(tip) }),
    ]
      .filter((part) => part !== false)
      .join(" · ");
}

function useColumns(): Column<UnappliedPayment>[] {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const hubText = useHubText();
  const howPaid = useHowPaid();
  return [
    orderColumn(t("common:order")),
    { header: t("common:amount"), numeric: true, cell: (payment) => format.money(payment.amount) },
    {
      header: t("dueNow"),
      numeric: true,
      cell: (payment) => {
        if (payment.due !== null) return format.money(payment.due);
        if (payment.removed) return t("checkIsGone");
        if (payment.orderStatus !== null) return t("checkIsPaid");
        return t(addsCheck(payment) ? "checkComes" : "noCheck");
      },
    },
    { header: t("taken"), className: "num", cell: (payment) => format.dateTime(payment.takenAt ?? payment.receivedAt) },
    {
      header: t("takenBy"),
      cell: (payment) => (
        <>
          {payment.userName} <span className="soft">{payment.terminalId}</span>
          {payment.payments.map((each, index) => (
            <div key={index} className="soft">
              {howPaid(each)}
            </div>
          ))}
          {payment.isUnauthorized && <div className="error-text">{t("mayTakeNoMoney")}</div>}
        </>
      ),
    },
    {
      header: t("reason"),
      isLong: true,
      cell: ({ errorCode, settled }) => (
        <>
          <div className="error-text">{refusalTexts(errorCode).what}</div>
          {settled !== null && (
            <div className="soft">
              {settled.by}: {hubText(settled.note)}
            </div>
          )}
        </>
      ),
    },
  ];
}
