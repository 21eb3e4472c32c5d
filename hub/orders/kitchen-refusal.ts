import type { KitchenRefusal, SentLinesRefusal } from "@comanda/rules";
import { HubError } from "../platform/errors.ts";

/** What a terminal or an integration is told when the kitchen's work is not changed. */
export function kitchenError(refusal: KitchenRefusal | SentLinesRefusal): HubError {
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
    case "SENT_LINE_REMOVED": {
      const message = `line ${refusal.values.lineId} is already with the kitchen and must stay on the order`;
      return new HubError("SENT_LINES_IMMUTABLE", message);
    }
    case "SENT_LINE_LOWERED": {
      const { lineId, sent, quantity } = refusal.values;
      const message = `line ${lineId} has ${sent} with the kitchen; its quantity cannot be lowered to ${quantity}`;
      return new HubError("SENT_LINES_IMMUTABLE", message);
    }
    case "VOID_NEEDS_CASHIER": {
      const message = `line ${refusal.values.lineId} is with the kitchen: only a cashier or manager may void it`;
      return new HubError("SENT_LINES_IMMUTABLE", message);
    }
  }
}
