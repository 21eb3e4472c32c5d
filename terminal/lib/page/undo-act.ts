import { translator } from "@comanda/ui/translation.ts";
import type { Notice } from "./notices.ts";

/** Returns the notice button that undoes the last act. */
export function undoAct(run: () => void): NonNullable<Notice["act"]> {
  return { label: translator("common")("undo"), run };
}
