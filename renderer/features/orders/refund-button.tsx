import type { OrderDetail, Refund } from "@comanda/protocol";
import { leftToRefund } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { callHub } from "../../lib/hub.ts";
import { useMayRefund } from "../../lib/session.ts";
import { RefundDialog } from "./refund-dialog.tsx";
import { useRefundResult } from "./use-refund-result.ts";

/** Refunds a payment. Only for users who may refund, and while something is left to refund. */
export function RefundButton({ detail }: { detail: OrderDetail }) {
  const { t } = useTranslation("orders");
  const mayRefund = useMayRefund();
  const [isOpen, setOpen] = useState(false);
  const { posReference, snapshot } = detail.order;
  if (!mayRefund || detail.refunding === undefined) return null;
  const pending = snapshot.refunds?.find(({ state }) => state === "pending");
  const isUnavailable = pending !== undefined || leftToRefund(snapshot).length === 0;
  return (
    <>
      {pending !== undefined && <AskAgain posReference={posReference} refund={pending} />}
      {!isUnavailable && (
        <ActionButton size="xs" label={t("refund")} needsConfirmation run={async () => setOpen(true)} />
      )}
      {isOpen && (
        <RefundDialog
          detail={detail}
          refunding={detail.refunding}
          isUnavailable={isUnavailable}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** For a refund whose result is unknown: requests the same refund again, which creates no second credit note. */
function AskAgain({ posReference, refund }: { posReference: string; refund: Refund }) {
  const { t, format } = useTranslation("orders");
  const show = useRefundResult();
  return (
    <ActionButton
      size="xs"
      label={t("refundAskAgain")}
      needsConfirmation
      confirm={{ body: t("refundInDoubt", { amount: format.money(refund.amount) }) }}
      run={async () => {
        const { refundId, lines, reason, refund: payments } = refund;
        const body = { refundId, lines, reason: reason ?? "", refund: payments };
        show((await callHub("refund", { params: { posReference }, body })).refund);
      }}
    />
  );
}
