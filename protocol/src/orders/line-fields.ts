/** The fields of an order line that the kitchen sets: what strips, keeps or carries them derives from this list. */
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

/** The fields of a line that the hub alone sets. */
export const hubLineFieldNames = [...kitchenFieldNames, "menuCheck"] as const;
export type HubLineFieldName = (typeof hubLineFieldNames)[number];

/** Words for a line's `kitchenItemStatus` that no station says: all of it is cancelled, or lies on paper where nobody marks dishes. */
export const ITEM_VOIDED = "voided";
export const ITEM_ON_PAPER = "on_paper";
