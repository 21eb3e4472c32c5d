import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import type { SheetProps } from "../acts/sheet-props.ts";
import { joinedTables } from "./joined-tables.ts";
import { targetsOf } from "./targets.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useTableLocks } from "./use-table-locks.ts";
import { keepTables } from "../acts/keep-tables.ts";

/** Joins tables for one party: taps select and deselect tables, and one act applies them. */
export function JoinSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation(["check", "floor"]);
  const act = useCheckAct(onDone);
  const { posReference, tableId, snapshot } = order;
  const [taps, setTaps] = useState<ReadonlyMap<number, boolean>>(new Map());
  const { floors } = targetsOf(order, useLive("orders"), useLive("floors")?.floors ?? []);
  const others = joinedTables({ ...snapshot, tableId }, taps);
  const locks = useTableLocks();
  const added = others.filter((id) => snapshot.tableIds?.includes(id) !== true);
  if (tableId === null) return null;
  return (
    <Sheet title={t("join")} onClose={onClose}>
      <div className="stack targets">
        {added.map((id) => (
          <LockedTable key={id} tableId={id} />
        ))}
        {floors
          .filter(({ tables }) => tables.some((table) => table.tableId === tableId))
          .map(({ name, tables }) => (
            <div key={name} className="targets-grid">
              {tables.map((table) => (
                <ActButton
                  key={table.tableId}
                  className="target"
                  isRepeatable
                  disabled={table.tableId === tableId}
                  aria-pressed={table.tableId === tableId || others.includes(table.tableId)}
                  onAct={() => setTaps(new Map([...taps, [table.tableId, !others.includes(table.tableId)]]))}
                >
                  <strong>{table.name}</strong>
                  <span className="target-about">
                    {locks.get(table.tableId) ??
                      (table.checks.length === 0
                        ? t(table.isHere ? "here" : "floor:state.free")
                        : t("hasChecks", { count: table.checks.length }))}
                  </span>
                </ActButton>
              ))}
            </div>
          ))}
        <ActButton
          kind="main"
          disabled={taps.size === 0}
          onAct={() =>
            act({
              what: t("join"),
              done: t("done.joined", { count: others.length + 1 }),
              run: (commands) => commands.joinTables(posReference, [tableId, ...others]),
              undo: [posReference],
            })
          }
        >
          {t("joinThese", { count: others.length + 1 })}
        </ActButton>
      </div>
    </Sheet>
  );
}

/** Keeps a selected table locked while it is selected. Each has its own lock, independent of the others. */
function LockedTable({ tableId }: { tableId: number }) {
  const terminal = useTerminal();
  useEffect(() => {
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    void keepTables(terminal, [tableId], end);
    return letGo;
  }, [terminal, tableId]);
  return null;
}
