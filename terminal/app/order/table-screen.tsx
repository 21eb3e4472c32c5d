import { useMemo, useState } from "react";
import { useLive } from "../../lib/connection/pos.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { checkAtTable } from "./check-at-table.ts";
import { OrderView } from "./order-view.tsx";
import { OtherChecks } from "./other-checks.tsx";
import { useLeftCheck } from "./use-left-check.ts";

/** The check of a table, or a new one that the first tile opens. */
export function TableScreen({ tableId, isCheckOpen = false }: { tableId: number; isCheckOpen?: boolean }) {
  const orders = useLive("orders");
  const name = useTableNames().get(tableId) ?? String(tableId);
  const [chosen, setChosen] = useState<string | null>(null);
  const { checks, paidUnsent, order, hasLeft, moved, found } = useMemo(
    () => checkAtTable(orders, tableId, chosen),
    [orders, tableId, chosen],
  );
  // From then on this check stays chosen, also when it is paid or moved elsewhere.
  const [first] = checks;
  if (chosen === null && first !== undefined) setChosen(first.posReference);
  useLeftCheck(chosen, { found, moved });
  if (hasLeft) return <OtherChecks title={name} moved={moved} checks={checks} onChoose={setChosen} />;
  return (
    <OrderView
      title={name}
      order={order}
      draft={{ orderType: "dine_in", tableId }}
      siblings={checks}
      paidUnsent={paidUnsent}
      isCheckOpen={isCheckOpen}
      onChoose={setChosen}
    />
  );
}
