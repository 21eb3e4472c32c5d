import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCallback, useMemo } from "react";
import { useLocation } from "wouter";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { PaidUnsent } from "../../checks/unsent-strips.tsx";
import { useLive } from "../../lib/connection/pos.ts";
import { useOrder } from "../../lib/connection/use-order.ts";
import { checkAtTable } from "./check-at-table.ts";
import { OrderView } from "./order-view.tsx";

const none: readonly LocalOrder[] = [];

/** One check by reference, with or without a table, beside the other checks of its table. */
export function CheckScreen({ posReference }: { posReference: string }) {
  const { t } = useTranslation("order");
  const [, go] = useLocation();
  const orders = useLive("orders");
  const order = useOrder(posReference);
  const titleOf = useCheckTitles();
  const tableId = order?.snapshot.tableId ?? null;
  const siblings = useMemo(
    () => (tableId === null ? none : checkAtTable(orders, tableId, posReference).checks),
    [orders, tableId, posReference],
  );
  const choose = useCallback((other: string) => go(`/check/${encodeURIComponent(other)}`), [go]);
  if (order === undefined) return <p className="screen-none">{t("checkRemoved")}</p>;
  if (!isActive(order.snapshot.status)) {
    return (
      <div className="screen-none">
        <p>{t("paid")}</p>
        {isPaidUnsent(order.snapshot) && <PaidUnsent order={order} />}
      </div>
    );
  }
  const { orderType } = order.snapshot;
  return (
    <OrderView
      title={titleOf(order.snapshot)}
      order={order}
      draft={{ orderType, tableId }}
      siblings={siblings}
      onChoose={choose}
    />
  );
}
