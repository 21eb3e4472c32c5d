import type { LocalOrder } from "@comanda/terminal";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useLive } from "../../lib/pos.ts";
import { ActBar } from "./act-bar.tsx";
import { CheckHead } from "./check-head.tsx";
import { CheckLinesList } from "./check-lines-list.tsx";
import { CheckSheets } from "./check-sheets.tsx";
import { CheckSiblings } from "./check-siblings.tsx";
import { CheckTotal } from "./check-total.tsx";
import { progressOf } from "./line-progress.ts";
import type { SheetName } from "./sheet-props.ts";
import { useChosenLines } from "./use-chosen-lines.ts";
import "./check.css";

/**
 * A check as it stands; a tapped line is selected, and the acts for what is selected stand below. The acts of the whole check
 * are behind the dots.
 */
export function CheckPanel({
  title,
  order,
  siblings,
  onChoose,
  onQuantity,
  onOpenLine,
}: {
  title: string;
  order: LocalOrder | undefined;
  siblings: readonly LocalOrder[];
  onChoose?: (posReference: string) => void;
  /** Another quantity of a line that was not sent. */
  onQuantity: (lineId: string, quantity: number) => void;
  /** Opens the choices of a line. */
  onOpenLine: (lineId: string) => void;
}) {
  const [, go] = useLocation();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const { lineIds, chosen, toggle, clear, choosePart } = useChosenLines(order);
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const posReference = order?.posReference;
  const progress = useMemo(
    () => progressOf(posReference ?? "", [...tickets, ...recent]),
    [posReference, tickets, recent],
  );
  const acts = { onToggle: toggle, onQuantity, onOpen: onOpenLine };

  function finish(moved?: string): void {
    setSheet(null);
    clear();
    // Where it is now: on the table that it left the next dish would begin another check.
    if (moved !== undefined) go(`/check/${encodeURIComponent(moved)}`);
  }
  return (
    <div className="check">
      <CheckHead title={title} order={order} onMenu={() => setSheet("menu")} />
      <CheckSiblings checks={siblings} shown={posReference} onChoose={onChoose} />
      <CheckLinesList order={order} progress={progress} chosen={lineIds} {...acts} />
      <div className="check-foot">
        {order !== undefined && chosen.length > 0 ? (
          <ActBar {...{ order, chosen, progress }} onPart={choosePart} onSheet={setSheet} onDone={clear} />
        ) : (
          <CheckTotal order={order} onSplit={() => setSheet("split")} />
        )}
      </div>
      {order !== undefined && sheet !== null && (
        <CheckSheets name={sheet} order={order} chosen={chosen} onSheet={setSheet} onDone={finish} />
      )}
    </div>
  );
}
