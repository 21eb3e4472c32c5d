import type { ErrorCode, OrderMutation, TerminalMessageInput } from "@comanda/protocol";
import type { Collision } from "../orders/merge-content.ts";
import type { OrderContent } from "../orders/order-content.ts";

/** An order's change as the user made it: `base` is what was shown before (null for a new order), `next` after it. */
export interface ContentChange {
  posReference: string;
  base: OrderContent | null;
  next: OrderContent;
}

/** A payment with whatever else the back-office wants to know about it. */
export type PaymentIntent = Pick<Extract<OrderMutation, { type: "ORDER_PAY" }>, "payments" | "ncf" | "fiscal">;

/** An act upon an order as the user saw it: `seen` is the content shown, `seenVersion` the version it came from. */
interface ActOnSeen {
  posReference: string;
  seen: OrderContent;
  seenVersion: number;
}

/** What the user wants; the message that carries it to the hub is decided when it is sent. */
export type Intent =
  | ({ type: "ORDER_UPSERT" } & ContentChange)
  | { type: "ORDER_BATCH"; orders: ContentChange[] }
  | { type: "ORDER_SEND"; posReference: string; lineIds?: string[] }
  | { type: "KITCHEN_SEEN"; posReference: string; kitchenTicketId: string; stationId: string }
  | {
      type: "KITCHEN_BUMP";
      posReference: string;
      lineId: string;
      preparedQuantity: number;
      kitchenItemStatus?: string;
    }
  | ({ type: "ORDER_CHECKOUT" } & ActOnSeen)
  | ({ type: "ORDER_REOPEN" } & ActOnSeen)
  | ({ type: "ORDER_DISCARD"; reason?: string } & ActOnSeen)
  | ({ type: "ORDER_PAY" } & ActOnSeen & PaymentIntent);

/** An ORDER_… or KITCHEN_… message as it goes over the wire. */
export type MutationMessage = Extract<TerminalMessageInput, { mutationId: string }>;

/** Why a mutation waits for a person. */
export interface Refusal {
  errorCode: ErrorCode;
  error: string;
  collisions: Collision[];
  at: string;
}

/** One mutation in the outbox; plain data, as it lies in the storage. */
export interface OutboxEntry {
  /** Names the mutation on this device; its first mutationId. */
  id: string;
  /** Place in the queue; rises. */
  place: number;
  queuedAt: string;
  /** Changes only when the hub has refused the content and a rebased one goes out in its stead. */
  mutationId: string;
  intent: Intent;
  /** Decided once and for all for this mutationId: sent again exactly so when its answer was lost. */
  message: MutationMessage | null;
  /** Set while it lies in the tray. */
  refusal: Refusal | null;
}

/**
 * The orders that a mutation is about. Mutations that share one keep their order and are sent one after the other, and
 * the local view of each of them depends on it.
 */
export function ordersOf(intent: Intent): string[] {
  return intent.type === "ORDER_BATCH" ? intent.orders.map((order) => order.posReference) : [intent.posReference];
}
