import { type ErrorDetails, MAX_AMOUNT, type StoredOrder } from "@comanda/protocol";
import { errorCodes, type DetectedDiscount, refundErrorCodes, type RefundRefusal, type Refusal } from "@comanda/rules";
import { HubError } from "../../platform/errors.ts";
import { sentenceOfPayment } from "./payment-refusal.ts";

/**
 * Refuses a payment that was valid until the check or the back-office's payment methods changed. Unlike other invalid
 * payments it is kept, since the money was taken.
 */
export class OutdatedPayment extends HubError<"VALIDATION_ERROR"> {
  constructor(message: string) {
    super("VALIDATION_ERROR", message);
  }
}

type AnyRefusal = Refusal | RefundRefusal;
const codes = { ...errorCodes, ...refundErrorCodes };

type FindCheck = (posReference: string) => StoredOrder | null;

/**
 * Converts a refusal of the rules to the error for a terminal or an integration; `posReference` is the changed check.
 */
export function ruleError(find: FindCheck, refusal: AnyRefusal, posReference = ""): HubError {
  return new HubError(codes[refusal.code], sentenceOf(refusal, posReference), detailsOf(find, refusal));
}

function sentenceOf(refusal: AnyRefusal, posReference: string): string {
  switch (refusal.code) {
    case "NO_ORDER":
      return `there is no order ${refusal.values.posReference}`;
    case "NO_TICKET":
      return `there is no kitchen ticket ${refusal.values.ticketId}`;
    case "NO_TICKET_LINE":
      return `ticket ${refusal.values.ticketId} has no line ${refusal.values.lineId}`;
    case "NO_LINE":
      return `the order has no line ${refusal.values.lineId}`;
    case "NO_TENDER":
      return `there is no tender ${refusal.values.tenderId}`;
    case "NEVER_SENT":
      return `line ${refusal.values.lineId} was never sent to the kitchen`;
    case "ABOVE_SENT": {
      const { preparedQuantity, sent, lineId } = refusal.values;
      return `preparedQuantity ${preparedQuantity} is above the ${sent} sent of line ${lineId}`;
    }
    case "TOO_MANY_STATIONS":
      return `at most ${refusal.values.most} stations can show a ticket`;
    case "ITEM_OUT": {
      const { lineId, name, left } = refusal.values;
      return `line ${lineId}: ${left === 0 ? `${name} has run out` : `only ${left} of ${name} left`}`;
    }
    case "SENT_LINE_REMOVED":
      return `line ${refusal.values.lineId} is already with the kitchen and must stay on the order`;
    case "SENT_LINE_LOWERED": {
      const { lineId, sent, quantity } = refusal.values;
      return `line ${lineId} has ${sent} with the kitchen; its quantity cannot be lowered to ${quantity}`;
    }
    case "VOID_NEEDS_CASHIER":
      return `line ${refusal.values.lineId} is with the kitchen: only a cashier or manager may void it`;
    case "HAS_TENDERS":
      return `order ${posReference} has payments of ${refusal.values.paid}: void them first`;
    case "BELOW_PAID": {
      const { total, paid } = refusal.values;
      return `the total of ${total} is below the ${paid} that is paid on order ${posReference}`;
    }
    case "WAS_REMOVED":
      return `order ${refusal.values.posReference} was discarded and cannot come back`;
    case "LOCKED":
      return `order ${refusal.values.posReference} is ${refusal.values.status} and cannot be changed`;
    case "NOT_CHECKED_OUT":
      return `the order is ${refusal.values.status}, not in checkout`;
    case "LEASED": {
      const { posReference: order, userName, terminalId } = refusal.values;
      return `${userName} has order ${order} open on ${terminalId}`;
    }
    case "MOVED_ON": {
      const { posReference: moved, version, baseVersion } = refusal.values;
      return `order ${moved} is at version ${version}, not ${baseVersion}`;
    }
    case "NO_NEW_CHECKS":
      return noNewChecksReasons[refusal.values.why];
    case "NO_SESSION":
      return noNewChecksReasons.session_closed;
    case "RESERVED_REFERENCE":
      return `posReference: ${refusal.values.prefix} is reserved for orders made by the hub`;
    case "TABLE_TAKEN":
      return `table ${refusal.values.tableId} has the active order ${refusal.values.posReference}`;
    case "PARTY_SEATED":
      return `these guests sit already: order ${refusal.values.posReference} is theirs`;
    case "MAIN_TABLE_FIRST":
      return `snapshot.tableIds: ${refusal.values.main} comes first, but tableId is ${refusal.values.tableId}`;
    case "AMOUNT_TOO_LARGE":
      return `${refusal.values.field}: ${refusal.values.amount} is more than ${MAX_AMOUNT}`;
    case "WRONG_TOTAL": {
      const { total, added } = refusal.values;
      return `snapshot.totals.total is ${total}, but its lines and adjustments add up to ${added}`;
    }
    case "DISCOUNT": {
      const { lineId, reason } = refusal.values;
      const line = lineId === undefined ? "" : `line ${lineId}: `;
      return `${line}only a cashier or manager may give a discount${discountReasons[reason]}`;
    }
    case "DISCARD_NEEDS_CASHIER": {
      const kind = refusal.values.why === "kitchen" ? "that the kitchen has" : "with payments";
      return `only a cashier or manager may discard a check ${kind}`;
    }
    case "CASHIER_NEEDED": {
      const action = refusal.values.what === "take_payment" ? "take payment" : "void a payment";
      return `only a cashier or manager may ${action}`;
    }
    case "TOO_MANY_TENDERS": {
      const { posReference: check, most } = refusal.values;
      return `order ${check} has ${most} partial payments, the maximum`;
    }
    case "NOT_PAID_YET":
      return `order ${posReference} is ${refusal.values.status}: only paid orders can be refunded`;
    case "REFUND_UNANSWERED":
      return `refund ${refusal.values.refundId} of order ${posReference} has no answer yet: repeat that request first`;
    case "ALL_REFUNDED":
      return `order ${posReference} is already fully refunded`;
    case "MORE_THAN_LEFT":
      return `lines: only ${refusal.values.left} of line ${refusal.values.lineId} can still be refunded`;
    case "WHOLE_NOTES_ONLY":
      return "lines: the back-office issues credit notes for whole checks only";
    case "NOTHING_TO_REFUND":
      return "lines: these lines cost nothing";
    case "WRONG_REFUND": {
      const { amount, named } = refusal.values;
      return `refund: the lines cost ${amount}, but the request names ${named}`;
    }
    case "METHOD_OVERDRAWN": {
      const { methodId, left } = refusal.values;
      return `refund: only ${left} can still be refunded by method ${methodId}`;
    }
    case "RATE_CHANGED":
    case "UNKNOWN_METHOD":
    case "NOTHING_CHARGED":
    case "NOT_COVERED":
    case "TOO_MUCH":
    case "MORE_THAN_DUE":
    case "WRONG_TENDERED":
      return sentenceOfPayment(refusal, posReference);
  }
}

const noNewChecksReasons = {
  hub_mode_off: "hub mode is off in the back-office: this hub takes no new orders until it is switched on there",
  session_closed: "the point-of-sale session is closed",
};

const discountReasons: Record<DetectedDiscount["reason"], string> = {
  taken_off: "",
  comp: ", and the line would be free",
  line_discount: "",
  lower_price: ", and it would cost less than before",
  negative_line: ", and its amount is below zero",
};

/** Returns additional details of a refusal, such as the current check that the caller did not know of. */
function detailsOf(find: FindCheck, refusal: AnyRefusal): ErrorDetails[keyof ErrorDetails] | undefined {
  const { code, values } = refusal;
  if (code === "RATE_CHANGED") return { rates: values };
  if (code === "ITEM_OUT") return { lineId: values.lineId };
  if (code === "LOCKED" || code === "MOVED_ON") {
    const stored = find(values.posReference);
    if (stored === null) throw new Error(`order ${values.posReference} is gone`);
    return { hubVersion: stored.version, snapshot: stored.snapshot };
  }
  if (code !== "TABLE_TAKEN" && code !== "PARTY_SEATED") return undefined;
  const { posReference, checkNumber } = values;
  return { existing: { posReference, checkNumber, staffName: find(posReference)?.snapshot.staffName ?? null } };
}
