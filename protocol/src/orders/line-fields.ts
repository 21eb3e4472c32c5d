/** The fields of an order line that the kitchen sets. Code that strips, keeps or copies them derives from this list. */
export const kitchenFieldNames = [
  "kitchenSentAt",
  "sentQuantity",
  "sentVoidedQuantity",
  "preparedQuantity",
  "kitchenTicketId",
  "kitchenLineId",
  "kitchenItemStatus",
  "queuedAt",
  "soldOut",
] as const;
export type KitchenFieldName = (typeof kitchenFieldNames)[number];

/** The fields of a line that only the hub sets. */
export const hubLineFieldNames = [...kitchenFieldNames, "menuCheck", "voidedBy"] as const;
export type HubLineFieldName = (typeof hubLineFieldNames)[number];

/** The fields of an order that only the hub sets, apart from its ticket number. */
export const hubFieldNames = [
  "posReference",
  "status",
  "version",
  "origin",
  "createdAt",
  "seatedAt",
  "partyId",
  "updatedAt",
  "payments",
  "paidAt",
  "paidBy",
  "tenders",
  "fiscal",
  "ncf",
  "refunds",
] as const;

/** Values of `kitchenItemStatus` that only the hub sets: all cancelled, or printed at a station that marks no dishes. */
export const ITEM_VOIDED = "voided";
export const ITEM_ON_PAPER = "on_paper";
