import type { LocalOrder } from "@comanda/terminal";
import { heldCourses, toSend } from "../../../checks/check-lines.ts";

/** What the kitchen can be told next of a check: what is new, the next course, or the last round once more. */
export function nextAct({ snapshot: { lines } }: LocalOrder): "send" | "fire" | "again" {
  if (toSend(lines).length > 0 || lines.length === 0) return "send";
  return heldCourses(lines).length > 0 ? "fire" : "again";
}
