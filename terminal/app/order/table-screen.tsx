import { useState } from "react";
import { useLive } from "../../lib/connection/pos.ts";
import { useTableNames } from "../../lib/words/table-names.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { OrderView } from "./order-view.tsx";

/** The check of a table: the one that it has, or a new one that begins with the first tile. */
export function TableScreen({ tableId, isCheckOpen = false }: { tableId: number; isCheckOpen?: boolean }) {
  const orders = useLive("orders");
  const name = useTableNames().get(tableId) ?? String(tableId);
  // Only its own are sorted: a tap on a tile shall cost the same with five hundred checks.
  const own = orders.filter((order) => order.tableId === tableId || order.snapshot.tableIds?.includes(tableId));
  const checks = checksByTable(own).get(tableId) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const order = checks.find(({ posReference }) => posReference === chosen) ?? checks[0];
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
