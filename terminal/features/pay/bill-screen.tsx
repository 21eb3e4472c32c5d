import { isActive } from "@comanda/protocol";
import { IconChevronLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useOrder } from "../../lib/connection/use-order.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { PayButton } from "./pay-button.tsx";
import { PrintButton } from "../../receipt/print-button.tsx";
import { Receipt } from "../../receipt/receipt.tsx";
import "./pay.css";

/** The bill before the payment. While the bill is out, the check is locked until it is reopened. */
export function BillScreen({ posReference }: { posReference: string }) {
  const { t } = useTranslation(["pay", "order"]);
  const terminal = useTerminal();
  const order = useOrder(posReference);
  const [, go] = useLocation();
  if (order === undefined || !isActive(order.snapshot.status))
    return <p className="screen-none">{t("order:checkRemoved")}</p>;
  const place = `/check/${encodeURIComponent(posReference)}`;
  return (
    <div className="paid">
      <div className="row pay-head">
        <Link href={place} className="act" data-size="small" aria-label={t("backToCheck")}>
          <IconChevronLeft aria-hidden />
        </Link>
        <h1>{t("bill")}</h1>
      </div>
      <div className="receipt-place">
        <Receipt order={order} kind="bill" />
      </div>
      <div className="chips paid-acts">
        {order.snapshot.status === "checkout" && (
          <ActButton
            onAct={() => {
              if (attempt(() => terminal.reopen(posReference)) !== null) go(place);
            }}
          >
            {t("reopen")}
          </ActButton>
        )}
        <PrintButton order={order} document="bill" />
        <PayButton order={order} />
      </div>
    </div>
  );
}
