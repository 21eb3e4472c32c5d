import type { Payment, Snapshot } from "@comanda/protocol";
import { openTenders } from "../money/due/amount-due.ts";

/** What settled a check, or lies on it so far. */
export function paymentsOf({ payments, tenders }: Pick<Snapshot, "payments" | "tenders">): Payment[] {
  return payments ?? openTenders({ tenders });
}
