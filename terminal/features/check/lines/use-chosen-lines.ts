import { chargedQuantity } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useState } from "react";
import type { ChosenLine } from "../acts/line-acts.ts";

const none: ReadonlySet<string> = new Set();

/** State of the selected lines of a check. Drops lines of another check and lines no longer charged. */
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
    /** The charged quantity of each selected line, or the chosen part of a single one. */
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
    /** Sets how much of the single selected line is meant. */
    choosePart: setPart,
  };
}
