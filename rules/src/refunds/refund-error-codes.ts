import type { ErrorCode } from "@comanda/protocol";
import type { RefundRefusal } from "./refund.ts";

/** The error code of each rejected refund. Kept separate, because terminals do not decide refunds. */
export const refundErrorCodes: Readonly<Record<RefundRefusal["code"], ErrorCode>> = {
  NO_LINE: "NOT_FOUND",
  NOT_PAID_YET: "VALIDATION_ERROR",
  REFUND_UNANSWERED: "ORDER_LOCKED",
  ALL_REFUNDED: "ALREADY_CREDITED",
  MORE_THAN_LEFT: "ALREADY_CREDITED",
  WHOLE_NOTES_ONLY: "VALIDATION_ERROR",
  NOTHING_TO_REFUND: "VALIDATION_ERROR",
  WRONG_REFUND: "VALIDATION_ERROR",
  METHOD_OVERDRAWN: "VALIDATION_ERROR",
};
