import type { Refund, Snapshot } from "@comanda/protocol";
import type { LineQuantity } from "../refunds/refund-amounts.ts";

/** What a report reads of a check. */
export type SoldCheck = Pick<
  Snapshot,
  | "posReference"
  | "orderType"
  | "tableId"
  | "ticketNumber"
  | "checkNumber"
  | "guestCount"
  | "createdAt"
  | "seatedAt"
  | "partyId"
  | "staffName"
  | "lines"
  | "totals"
  | "payments"
  | "tenders"
  | "adjustments"
>;

/** One refund of a check, with what earlier ones had taken of it. */
export interface RefundOfCheck {
  at: number;
  posReference: string;
  refund: Refund;
  /** The check as it was sold; null where it is no longer kept or cannot be read. */
  check: SoldCheck | null;
  before: readonly LineQuantity[];
}
