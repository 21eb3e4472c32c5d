import type { OrderMutation } from "@comanda/protocol";
import { checkOut, reopen } from "./checks/check-out.ts";
import { discard } from "./checks/discard.ts";
import { writeChecks } from "./checks/write-checks.ts";
import type { RuleContext } from "./context.ts";
import { bump, markSeen, markServed, prioritize, send } from "./kitchen/progress.ts";
import { changesOf, type Refused, type ServiceChanges } from "./outcome.ts";
import { returnTender, takePayment } from "./payments/take-payment.ts";
import type { ServiceState } from "./state.ts";

/** The mutations that these rules decide. A tender void must name its check. */
export type ServiceMutation =
  | Exclude<OrderMutation, { type: "ORDER_TENDER_VOID" | "ITEM_STATE_SET" | `TILL_${string}` }>
  | (Extract<OrderMutation, { type: "ORDER_TENDER_VOID" }> & { posReference: string });

/** The changes of a mutation, and the ids for its answer. */
export interface Applied extends ServiceChanges {
  /** The check that a ticket change concerns. */
  posReference?: string;
  /** The tickets created by a send. */
  ticketIds?: string[];
}

/** Applies a mutation: returns its changes, or why it is rejected. Does not modify its arguments. */
export function apply(state: ServiceState, mutation: ServiceMutation, context: RuleContext): Applied | Refused {
  switch (mutation.type) {
    case "ORDER_UPSERT":
      return writeChecks(state, [mutation], context, mutation);
    case "ORDER_BATCH":
      return writeChecks(state, mutation.orders, context, mutation);
    case "ORDER_CHECKOUT":
      return checkOut(state, mutation, context);
    case "ORDER_REOPEN":
      return reopen(state, mutation, context);
    case "ORDER_DISCARD":
      return discard(state, mutation, context);
    case "ORDER_PAY":
    case "ORDER_TENDER":
      return takePayment(state, mutation, context);
    case "ORDER_TENDER_VOID":
      return returnTender(state, mutation, context);
    case "ORDER_SEND":
      return completed(send(state, mutation, context));
    case "KITCHEN_SEEN":
      return completed(markSeen(state, mutation, context));
    case "KITCHEN_BUMP":
      return completed(bump(state, mutation, context));
    case "KITCHEN_SERVED":
      return completed(markServed(state, mutation, context));
    case "KITCHEN_PRIORITY":
      return completed(prioritize(state, mutation, context));
  }
}

function completed<T extends Partial<ServiceChanges>>(result: T | Refused): (T & ServiceChanges) | Refused {
  return "refusal" in result ? result : { ...result, ...changesOf(result) };
}
