import type { ErrorCode } from "@comanda/protocol";
import type { RefundRefusal } from "./refund.ts";

/** What the one who asks for a refund branches on where it is refused; apart, because no terminal decides a refund. */
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
