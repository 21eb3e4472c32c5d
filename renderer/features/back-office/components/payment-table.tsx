import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { UnappliedPayment } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { useFailureWords } from "../../../components/use-failure-words.ts";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { usePayments } from "../api/payments.ts";
import { settlePayment } from "../api/settle-payment.ts";

/** Money that was taken and could not be put on its check. */
export function PaymentTable() {
  const { t } = useTranslation("backOffice");
  const payments = usePayments("open");
  const settled = usePayments("settled");
  const queries = useQueryClient();
  const format = useFormat();
  const [chosen, setChosen] = useState<UnappliedPayment | null>(null);
  return (
    <Panel title={t("unapplied")} about={t("unappliedAbout")} flush>
      <Loaded query={payments}>
        {(page) =>
          page.payments.length === 0 ? (
            <Empty title={t("noUnappliedTitle")}>{t("noUnapplied")}</Empty>
          ) : (
            <Rows payments={page.payments} onSettle={setChosen} />
          )
        }
      </Loaded>
      {settled.data !== undefined && settled.data.payments.length > 0 && (
        <details className="settled">
          <summary>
            {t("settledList")} ({settled.data.payments.length})
          </summary>
          <Rows payments={settled.data.payments} onSettle={null} />
        </details>
      )}
      {chosen !== null && (
        <Confirm
          open
          onClose={() => setChosen(null)}
          title={t("settleTitle", { amount: format.money(chosen.amount) })}
          action={t("settle")}
          note={{ label: t("settleNote") }}
          run={async (note) => {
            await settlePayment(chosen.paymentId, note);
            await queries.invalidateQueries({ queryKey: hubKey("payments") });
            notifications.show({ message: t("settled"), color: "petrol" });
          }}
        >
          {t("settleBody")}
        </Confirm>
      )}
    </Panel>
  );
}

interface RowsProps {
  payments: readonly UnappliedPayment[];
  onSettle: ((payment: UnappliedPayment) => void) | null;
}

function Rows({ payments, onSettle }: RowsProps) {
  const { t } = useTranslation("backOffice");
  const failureWords = useFailureWords();
  const format = useFormat();
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("order")}</th>
            <th scope="col" className="right">
              {t("amount")}
            </th>
            <th scope="col">{t("taken")}</th>
            <th scope="col">{t("takenBy")}</th>
            <th scope="col">{t("reason")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.paymentId}>
              <td>
                <Link href={`/orders/${encodeURIComponent(payment.posReference)}`}>{payment.posReference}</Link>
              </td>
              <td className="right num">{format.money(payment.amount)}</td>
              <td className="num">{format.dateTime(payment.takenAt ?? payment.receivedAt)}</td>
              <td>
                {payment.userName} <span className="soft">{payment.terminalId}</span>
              </td>
              <td>
                <div className="their-words">{failureWords(payment.errorCode) ?? payment.error}</div>
                {failureWords(payment.errorCode) !== null && <div className="soft">{payment.error}</div>}
                {payment.settled !== null && (
                  <div className="soft">{t("settledBy", { name: payment.settled.by, note: payment.settled.note })}</div>
                )}
              </td>
              <td className="right">
                {onSettle !== null && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => onSettle(payment)}
                    aria-label={t("settleOf", { reference: payment.posReference })}
                  >
                    {t("settle")}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
