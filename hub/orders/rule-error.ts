import { MAX_AMOUNT, type StoredOrder } from "@comanda/protocol";
import type { CheckRefusal, GivenDiscount, ItemOut, KitchenRefusal, Refusal, SentLinesRefusal } from "@comanda/rules";
import { HubError } from "../platform/errors.ts";
import { sentenceOfPayment } from "./payment-refusal.ts";

/**
 * A payment that fitted until something else changed, the check or the back-office's methods: refused as the others, but
 * kept, since the money was taken.
 */
export class OutdatedPayment extends HubError<"VALIDATION_ERROR"> {
  constructor(message: string) {
    super("VALIDATION_ERROR", message);
  }
}

type FindCheck = (posReference: string) => StoredOrder | null;

/** What a terminal or an integration is told when the rules refuse a change; `posReference` is the check that it was about. */
export function ruleError(find: FindCheck, refusal: Refusal, posReference = ""): HubError {
  switch (refusal.code) {
    case "NO_ORDER":
      return new HubError("NOT_FOUND", `there is no order ${refusal.values.posReference}`);
    case "NO_TICKET":
      return new HubError("NOT_FOUND", `there is no kitchen ticket ${refusal.values.ticketId}`);
    case "NO_TICKET_LINE":
      return new HubError("NOT_FOUND", `ticket ${refusal.values.ticketId} has no line ${refusal.values.lineId}`);
    case "NO_LINE":
      return new HubError("NOT_FOUND", `the order has no line ${refusal.values.lineId}`);
    case "NEVER_SENT":
    case "ABOVE_SENT":
    case "TOO_MANY_STATIONS":
    case "ITEM_OUT":
      return progressError(refusal);
    case "SENT_LINE_REMOVED":
    case "SENT_LINE_LOWERED":
    case "VOID_NEEDS_CASHIER":
      return new HubError("SENT_LINES_IMMUTABLE", sentenceOfSentLine(refusal));
    case "HAS_TENDERS": {
      const message = `order ${posReference} has payments of ${refusal.values.paid}: take them back first`;
      return new HubError("HAS_PAYMENTS", message);
    }
    case "BELOW_PAID": {
      const { total, paid } = refusal.values;
      return new HubError(
        "HAS_PAYMENTS",
        `the total of ${total} is below the ${paid} that is paid on order ${posReference}`,
      );
    }
    case "CASHIER_NEEDED": {
      const what = refusal.values.what === "take_payment" ? "take payment" : "take a payment back";
      return new HubError("FORBIDDEN", `only a cashier or manager may ${what}`);
    }
    case "NO_SESSION":
      return new HubError("NO_ACTIVE_SESSION", whyNoNewChecks.session_closed);
    case "NO_TENDER":
      return new HubError("NOT_FOUND", `there is no tender ${refusal.values.tenderId}`);
    case "UNKNOWN_METHOD":
    case "NOTHING_CHARGED":
    case "NOT_COVERED":
    case "TOO_MUCH":
    case "MORE_THAN_DUE":
    case "WRONG_TENDERED":
      return new HubError("VALIDATION_ERROR", sentenceOfPayment(refusal, posReference));
    case "WAS_REMOVED":
    case "LOCKED":
    case "NOT_CHECKED_OUT":
    case "LEASED":
    case "MOVED_ON":
    case "NO_NEW_CHECKS":
    case "RESERVED_REFERENCE":
    case "TABLE_TAKEN":
    case "MAIN_TABLE_FIRST":
    case "AMOUNT_TOO_LARGE":
    case "WRONG_TOTAL":
    case "DISCOUNT":
    case "DISCARD_NEEDS_CASHIER":
      return checkError(find, refusal);
  }
}

type ProgressRefusal = Extract<KitchenRefusal, { code: "NEVER_SENT" | "ABOVE_SENT" | "TOO_MANY_STATIONS" }> | ItemOut;

function progressError(refusal: ProgressRefusal): HubError {
  switch (refusal.code) {
    case "NEVER_SENT":
      return new HubError("VALIDATION_ERROR", `line ${refusal.values.lineId} was never sent to the kitchen`);
    case "ABOVE_SENT": {
      const { preparedQuantity, sent, lineId } = refusal.values;
      const message = `preparedQuantity ${preparedQuantity} is above the ${sent} sent of line ${lineId}`;
      return new HubError("VALIDATION_ERROR", message);
    }
    case "TOO_MANY_STATIONS": {
      const message = `${refusal.values.most} stations have shown this ticket: no kitchen has more`;
      return new HubError("LIMIT_REACHED", message);
    }
    case "ITEM_OUT": {
      const { lineId, name, left } = refusal.values;
      const what = left === 0 ? `${name} has run out` : `only ${left} of ${name} left`;
      return new HubError("ITEM_OUT", `line ${lineId}: ${what}`, { lineId });
    }
  }
}

function sentenceOfSentLine(refusal: SentLinesRefusal): string {
  const { lineId } = refusal.values;
  switch (refusal.code) {
    case "SENT_LINE_REMOVED":
      return `line ${lineId} is already with the kitchen and must stay on the order`;
    case "SENT_LINE_LOWERED": {
      const { sent, quantity } = refusal.values;
      return `line ${lineId} has ${sent} with the kitchen; its quantity cannot be lowered to ${quantity}`;
    }
    case "VOID_NEEDS_CASHIER":
      return `line ${lineId} is with the kitchen: only a cashier or manager may void it`;
  }
}

type ContentRefusal = Exclude<CheckRefusal, { code: "NO_ORDER" }>;

function checkError(find: FindCheck, refusal: ContentRefusal): HubError {
  switch (refusal.code) {
    case "WAS_REMOVED": {
      const message = `order ${refusal.values.posReference} was discarded and cannot come back`;
      return new HubError("ORDER_LOCKED", message);
    }
    case "LOCKED": {
      const { posReference, status } = refusal.values;
      const message = `order ${posReference} is ${status} and takes no change`;
      return new HubError("ORDER_LOCKED", message, present(find, posReference));
    }
    case "NOT_CHECKED_OUT":
      return new HubError("VALIDATION_ERROR", `the order is ${refusal.values.status}, not in checkout`);
    case "LEASED": {
      const { posReference, userName, terminalId } = refusal.values;
      return new HubError("LEASE_HELD", `${userName} has order ${posReference} open on ${terminalId}`);
    }
    case "MOVED_ON": {
      const { posReference, version, baseVersion } = refusal.values;
      const message = `order ${posReference} is at version ${version}, not ${baseVersion}`;
      return new HubError("CONFLICT", message, present(find, posReference));
    }
    case "NO_NEW_CHECKS":
      return new HubError("NO_ACTIVE_SESSION", whyNoNewChecks[refusal.values.why]);
    case "RESERVED_REFERENCE": {
      const { prefix } = refusal.values;
      return new HubError("VALIDATION_ERROR", `posReference: ${prefix} is reserved for orders made by the hub`);
    }
    case "TABLE_TAKEN": {
      const { tableId, posReference, checkNumber } = refusal.values;
      const staffName = find(posReference)?.snapshot.staffName ?? null;
      const message = `table ${tableId} has the active order ${posReference}`;
      return new HubError("TABLE_OCCUPIED", message, { existing: { posReference, checkNumber, staffName } });
    }
    case "MAIN_TABLE_FIRST": {
      const { main, tableId } = refusal.values;
      return new HubError("VALIDATION_ERROR", `snapshot.tableIds: ${main} comes first, but tableId is ${tableId}`);
    }
    case "AMOUNT_TOO_LARGE": {
      const { field, amount } = refusal.values;
      return new HubError("VALIDATION_ERROR", `${field}: ${amount} is more than ${MAX_AMOUNT}`);
    }
    case "WRONG_TOTAL": {
      const { total, added } = refusal.values;
      const message = `snapshot.totals.total is ${total}, but its lines and adjustments add up to ${added}`;
      return new HubError("TOTALS_MISMATCH", message);
    }
    case "DISCOUNT": {
      const { lineId, reason } = refusal.values;
      const line = lineId === undefined ? "" : `line ${lineId}: `;
      return new HubError("FORBIDDEN", `${line}only a cashier or manager may give a discount${whyDiscount[reason]}`);
    }
    case "DISCARD_NEEDS_CASHIER": {
      const what = refusal.values.why === "kitchen" ? "that the kitchen has" : "with payments";
      return new HubError("FORBIDDEN", `only a cashier or manager may discard a check ${what}`);
    }
  }
}

const whyNoNewChecks = {
  hub_mode_off: "hub mode is off in the back-office: this hub takes no new orders until it is switched on there",
  session_closed: "the point-of-sale session is closed",
};

const whyDiscount: Record<GivenDiscount["reason"], string> = {
  taken_off: "",
  line_discount: "",
  lower_price: ", and it would cost less than before",
  other_product: ", and what the kitchen has would become another product",
  negative_line: ", and its amount is below zero",
};

/** What the check is now: whoever did not know it gets it with the refusal. */
function present(find: FindCheck, posReference: string) {
  const stored = find(posReference);
  if (stored === null) throw new Error(`order ${posReference} is gone`);
  return { hubVersion: stored.version, snapshot: stored.snapshot };
}
