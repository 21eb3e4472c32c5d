import type { Payment, Snapshot } from "@comanda/protocol";
import { openTenders } from "../money/due/amount-due.ts";

/** Returns the payments that settled a check, or its open tenders. */
export function paymentsOf({ payments, tenders }: Pick<Snapshot, "payments" | "tenders">): Payment[] {
  return payments ?? openTenders({ tenders });
}
