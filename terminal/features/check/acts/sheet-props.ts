import type { LocalOrder } from "@comanda/terminal";
import type { ChosenLine } from "./line-acts.ts";

export type SheetName =
  | "menu"
  | "void"
  | "move"
  | "moveCheck"
  | "merge"
  | "join"
  | "handOver"
  | "split"
  | "discount"
  | "comp"
  | "words"
  | "details"
  | "discard";

export interface SheetProps {
  order: LocalOrder;
  /** The selected lines; empty for an act on the whole check. */
  chosen: readonly ChosenLine[];
  onClose: () => void;
  /** Called when the act is done; `shown` is the check to show now, if it is another. */
  onDone: (shown?: string) => void;
}
