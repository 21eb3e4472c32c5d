import type { Refund, Snapshot } from "@comanda/protocol";
import type { LineQuantity } from "../refunds/refund-amounts.ts";

/** The fields of a check that a report reads. */
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

/** A refund of a check, with the quantities of its earlier refunds. */
export interface RefundOfCheck {
  at: number;
  posReference: string;
  refund: Refund;
  /** The check as it was sold; null if it is no longer stored or cannot be read. */
  check: SoldCheck | null;
  before: readonly LineQuantity[];
}
