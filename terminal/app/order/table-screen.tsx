import { isActive } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive } from "../../lib/connection/pos.ts";
import { useTableNames } from "../../lib/words/table-names.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { OrderView } from "./order-view.tsx";
import { OtherChecks } from "./other-checks.tsx";

/** The check of a table: the one that it has, or a new one that begins with the first tile. */
export function TableScreen({ tableId, isCheckOpen = false }: { tableId: number; isCheckOpen?: boolean }) {
  const orders = useLive("orders");
  const name = useTableNames().get(tableId) ?? String(tableId);
  // Only its own are sorted: a tap on a tile shall cost the same with five hundred checks.
  const own = orders.filter((order) => order.tableId === tableId || order.snapshot.tableIds?.includes(tableId));
  const checks = checksByTable(own).get(tableId) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const order = checks.find(({ posReference }) => posReference === chosen);
  // From then on it is the one that is meant, also when it is paid or moved elsewhere.
  const [first] = checks;
  if (chosen === null && first !== undefined) setChosen(first.posReference);
  useSaidAsPaid(orders.some(({ posReference, snapshot }) => posReference === chosen && !isActive(snapshot.status)));
  if (chosen !== null && order === undefined && checks.length > 0) {
    return <OtherChecks title={name} checks={checks} onChoose={setChosen} />;
  }
  return (
    <OrderView
      title={name}
      order={order}
      draft={{ orderType: "dine_in", tableId }}
      siblings={checks}
      paidUnsent={own.filter(({ snapshot }) => isPaidUnsent(snapshot))}
      isCheckOpen={isCheckOpen}
      onChoose={setChosen}
    />
  );
}

/** The next tile begins another check. */
function useSaidAsPaid(isPaid: boolean): void {
  const { t } = useTranslation("order");
  useEffect(() => {
    if (isPaid) showNotice({ text: t("paid") });
  }, [isPaid, t]);
}
