import { IconChevronLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { PaidUnsent } from "../../checks/unsent-strips.tsx";
import { useOrder } from "../../lib/connection/use-order.ts";
import { focusWhereLost } from "../../lib/page/focus-where-lost.ts";
import { PrintButton } from "../../receipt/print-button.tsx";
import { Receipt } from "../../receipt/receipt.tsx";
import { leftToRefund } from "@comanda/rules";
import { useState } from "react";
import { RefundList } from "./refund-list.tsx";
import { RefundSheet } from "./refund-sheet.tsx";
import type { PaidCheck } from "../../checks/paid-checks.ts";

/** The receipt of a paid check, and its acts. */
export function PaidCheckView({ check, onClose }: { check: PaidCheck; onClose: () => void }) {
  const { t } = useTranslation("recent");
  const titleOf = useCheckTitles();
  const unsent = useOrder(check.posReference);
  const [isRefunding, setRefunding] = useState(false);
  const { refunds = [] } = check.snapshot;
  const isAllBack = leftToRefund(check.snapshot).length === 0;
  const isUncertain = refunds.some(({ state }) => state === "pending");
  return (
    <section className="paid" aria-label={t("receiptOf", { name: titleOf(check.snapshot) })}>
      <div className="row pay-head">
        <ActButton size="small" aria-label={t("backToList")} onAct={onClose}>
          <IconChevronLeft aria-hidden />
        </ActButton>
        <h1 ref={focusWhereLost} tabIndex={-1}>
          {titleOf(check.snapshot)}
        </h1>
      </div>
      <div className="receipt-place">
        {check.paymentRefused && (
          <p className="mark" data-tone="bad">
            {t("refused")}
          </p>
        )}
        {unsent !== undefined && isPaidUnsent(unsent.snapshot) && <PaidUnsent order={unsent} />}
        <RefundList check={check} />
        <Receipt order={check} kind="copy" />
      </div>
      <div className="chips paid-acts">
        <ActButton disabled={isAllBack || isUncertain} onAct={() => setRefunding(true)}>
          {t(isAllBack && !isUncertain ? "allRefunded" : "refund")}
        </ActButton>
        <PrintButton order={check} document="receipt" />
      </div>
      {isRefunding && <RefundSheet check={check} onClose={() => setRefunding(false)} />}
    </section>
  );
}
