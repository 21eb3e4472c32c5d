import type { LocalOrder } from "@comanda/terminal";
import { heldCourses, toSend } from "../../../checks/check-lines.ts";

/** Returns the next act for the kitchen: send new dishes, fire the next course, or repeat the last round. */
export function nextAct({ snapshot: { lines } }: LocalOrder): "send" | "fire" | "again" {
  if (toSend(lines).length > 0 || lines.length === 0) return "send";
  return heldCourses(lines).length > 0 ? "fire" : "again";
}
