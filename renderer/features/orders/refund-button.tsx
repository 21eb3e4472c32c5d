import { Button } from "@mantine/core";
import type { OrderDetail, Refund } from "@comanda/protocol";
import { leftToRefund } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { useNeedsConfirmation } from "../../components/forms/needs-confirmation.tsx";
import { callHub } from "../../lib/hub.ts";
import { useMayRefund } from "../../lib/session.ts";
import { RefundDialog } from "./refund-dialog.tsx";
import { useRefundResult } from "./use-refund-result.ts";

/** Gives back what was paid; only for a user who may refund, and while something is left. */
export function RefundButton({ detail }: { detail: OrderDetail }) {
  const mayRefund = useMayRefund();
  const { snapshot } = detail.order;
  if (!mayRefund || detail.refunding === undefined) return null;
  const pending = snapshot.refunds?.find(({ state }) => state === "pending");
  if (pending !== undefined) return <AskAgain posReference={detail.order.posReference} refund={pending} />;
  if (leftToRefund(snapshot).length === 0) return null;
  return <RefundLeft detail={detail} refunding={detail.refunding} />;
}

/** Its dialog goes with what is left, and does not open by itself when there is something again. */
function RefundLeft({ detail, refunding }: Omit<ComponentProps<typeof RefundDialog>, "onClose">) {
  const { t } = useTranslation("orders");
  const whyNot = useNeedsConfirmation();
  const [isOpen, setOpen] = useState(false);
  const reason = whyNot(t("refund"));
  return (
    <>
      <Button size="xs" variant="default" disabled={reason !== undefined} title={reason} onClick={() => setOpen(true)}>
        {t("refund")}
      </Button>
      {isOpen && <RefundDialog detail={detail} refunding={refunding} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Nobody knows whether its note was made: the same is asked for again, and makes no second one. */
function AskAgain({ posReference, refund }: { posReference: string; refund: Refund }) {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const show = useRefundResult();
  return (
    <ActionButton
      size="xs"
      action={{
        label: t("refundAskAgain"),
        needsConfirmation: true,
        confirm: {
          title: t("refundAskAgain"),
          body: t("refundInDoubt", { amount: format.money(refund.amount) }),
        },
        run: async () => {
          const { refundId, lines, reason, refund: payments } = refund;
          const body = { refundId, lines, reason: reason ?? "", refund: payments };
          show((await callHub("refund", { params: { posReference }, body })).refund);
        },
      }}
    />
  );
}
