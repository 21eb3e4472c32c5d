import { isActive } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCheckTitles } from "../../lib/words/check-title.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { PaidUnsent } from "../../checks/unsent-strips.tsx";
import { useOrder } from "../../lib/connection/pos.ts";
import { OrderView } from "./order-view.tsx";

/** One check by its reference, wherever it belongs. */
export function CheckScreen({ posReference }: { posReference: string }) {
  const { t } = useTranslation("order");
  const order = useOrder(posReference);
  const titleOf = useCheckTitles();
  if (order === undefined) return <p className="screen-none">{t("gone")}</p>;
  if (!isActive(order.snapshot.status)) {
    return (
      <div className="screen-none">
        <p>{t("paid")}</p>
        {isPaidUnsent(order.snapshot) && <PaidUnsent order={order} />}
      </div>
    );
  }
  const { tableId, orderType } = order.snapshot;
  return <OrderView title={titleOf(order.snapshot)} order={order} draft={{ orderType, tableId }} />;
}
