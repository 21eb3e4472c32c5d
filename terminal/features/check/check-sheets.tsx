import { useEffect } from "react";
import { editLeaseOf } from "../../lib/connection/edit-lease.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { CheckMenu } from "./sheets/check-menu.tsx";
import { CompSheet } from "./sheets/void-sheet.tsx";
import { DetailsSheet } from "./sheets/details-sheet.tsx";
import { DiscardSheet } from "./sheets/discard-sheet.tsx";
import { DiscountSheet } from "./sheets/discount-sheet.tsx";
import { HandOverSheet } from "./sheets/hand-over-sheet.tsx";
import { JoinSheet } from "./tables/join-sheet.tsx";
import { MergeSheet, MoveCheckSheet, MoveLinesSheet } from "./tables/move-sheets.tsx";
import type { SheetName, SheetProps } from "./acts/sheet-props.ts";
import { SplitSheet } from "./splits/split-sheet.tsx";
import { VoidSheet } from "./sheets/void-sheet.tsx";
import { WordsSheet } from "./sheets/words-sheet.tsx";

const sheets = {
  void: VoidSheet,
  move: MoveLinesSheet,
  moveCheck: MoveCheckSheet,
  merge: MergeSheet,
  join: JoinSheet,
  handOver: HandOverSheet,
  split: SplitSheet,
  discount: DiscountSheet,
  comp: CompSheet,
  words: WordsSheet,
  details: DetailsSheet,
  discard: DiscardSheet,
} as const;

/** Sheets that take several taps. They hold the edit lease, so that no change from elsewhere comes between. */
const composed: ReadonlySet<SheetName> = new Set(["split", "move", "moveCheck", "merge", "join"]);

/** The open sheet of a check: its menu, or the question of an act. */
export function CheckSheets({
  name,
  onSheet,
  ...props
}: Omit<SheetProps, "onClose"> & { name: SheetName; onSheet: (name: SheetName | null) => void }) {
  const close = (): void => onSheet(null);
  useLeaseWhile(composed.has(name), props.order.posReference);
  if (name === "menu") return <CheckMenu order={props.order} onSheet={onSheet} onClose={close} />;
  const Shown = sheets[name];
  return <Shown {...props} onClose={close} />;
}

function useLeaseWhile(isComposed: boolean, posReference: string): void {
  const lease = editLeaseOf(useTerminal());
  useEffect(() => {
    if (!isComposed) return;
    lease.edited(posReference);
    return () => lease.done(posReference);
  }, [lease, isComposed, posReference]);
}
