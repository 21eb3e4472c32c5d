import { wordsOf } from "./said-column.ts";

/** What a manager has dealt with outside is in the audit log, by its order and its number. */
export const DISMISSED = "fiscal.dismiss";

/**
 * SQL for whether a manager has dealt with an order's receipt of that number. That is for good: of what was dealt with nobody
 * can ask for the receipt again.
 */
export function isDismissed(posReference: string, ncf: string): string {
  return `EXISTS (SELECT 1 FROM audit_log
    WHERE subject = ${posReference} AND action = '${DISMISSED}' AND ${wordsOf("detail")} IS ${ncf})`;
}
