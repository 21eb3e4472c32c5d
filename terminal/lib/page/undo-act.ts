import { translator } from "@comanda/ui/translation.ts";
import type { Notice } from "./notices.ts";

/** The act of a notice that takes back what was just done. */
export function undoAct(run: () => void): NonNullable<Notice["act"]> {
  return { label: translator("common")("undo"), run };
}
