import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { IconCircleCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ActButton } from "../../components/act-button.tsx";
import { PrintButton } from "../../receipt/print-button.tsx";
import { Receipt } from "../../receipt/receipt.tsx";

/** A check that is paid: that it is, its fiscal number, and the receipt. */
export function PaidView({ order }: { order: LocalOrder }) {
  const { t } = useTranslation("pay");
  const format = useFormat();
  const [, go] = useLocation();
  const { totals, tableId } = order.snapshot;
  return (
    <div className="paid">
      <div className="paid-head">
        <h1>
          <IconCircleCheck size={32} aria-hidden />
          {t("paid", { amount: format.money(totals.total) })}
        </h1>
        {order.paymentRefused && <p data-tone="bad">{t("paymentRefused")}</p>}
        {!order.paymentRefused && order.pending > 0 && <p className="soft">{t("paymentUnsent")}</p>}
      </div>
      <div className="receipt-place">
        <Receipt order={order} kind="receipt" />
      </div>
      <div className="paid-acts">
        <PrintButton />
        <ActButton kind="main" onAct={() => go(tableId === null ? "/takeaway" : "/floor")}>
          {t("done")}
        </ActButton>
      </div>
    </div>
  );
}

/** What is given back, in digits that are read across the counter, until the next tap. */
export function ChangeScreen({ change, onSeen }: { change: number; onSeen: () => void }) {
  const { t } = useTranslation("pay");
  const format = useFormat();
  return (
    <button type="button" className="change-screen" onClick={onSeen}>
      <span>{t("change")}</span>
      <strong>{format.money(change)}</strong>
      <span>{t("tapToGoOn")}</span>
    </button>
  );
}
