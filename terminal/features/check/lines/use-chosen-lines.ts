import { chargedQuantity } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useState } from "react";
import type { ChosenLine } from "../acts/line-acts.ts";

const none: ReadonlySet<string> = new Set();

/** The lines of a check that were tapped. What was chosen on another check, or has gone since, is not chosen. */
export function useChosenLines(order: LocalOrder | undefined) {
  const [selected, setSelected] = useState({ of: "", lineIds: none });
  const [part, setPart] = useState<number | null>(null);
  const posReference = order?.posReference ?? "";
  const lineIds = selected.of === posReference ? selected.lineIds : none;
  const lines = order?.snapshot.lines.filter((line) => lineIds.has(line.id) && chargedQuantity(line) > 0) ?? [];

  function select(next: ReadonlySet<string>): void {
    setSelected({ of: posReference, lineIds: next });
    setPart(null);
  }
  return {
    lineIds,
    /** What still counts of them; of a single one perhaps a part. */
    chosen: lines.map((line): ChosenLine => {
      const counted = chargedQuantity(line);
      return { line, quantity: lines.length === 1 && part !== null ? Math.min(part, counted) : counted };
    }),
    toggle(lineId: string) {
      const next = new Set(lines.map(({ id }) => id));
      if (!next.delete(lineId)) next.add(lineId);
      select(next);
    },
    clear: () => select(none),
    /** How much is wanted of the single line that is chosen. */
    choosePart: setPart,
  };
}
