import { messageSql } from "./sentence-column.ts";

/** The audit log action for a receipt that a manager has dealt with elsewhere. Its entries name the order and the NCF. */
export const DISMISSED = "fiscal.dismiss";

/**
 * Returns SQL for whether a manager has dismissed the receipt of an order with this NCF. A dismissal is final: the receipt
 * cannot be requested again.
 */
export function isDismissed(posReference: string, ncf: string): string {
  return `EXISTS (SELECT 1 FROM audit_log
    WHERE subject = ${posReference} AND action = '${DISMISSED}' AND ${messageSql("detail")} IS ${ncf})`;
}
