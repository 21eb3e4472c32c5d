import type { ErrorCode, OrderMutation, TerminalMessageInput } from "@comanda/protocol";
import type { Collision } from "../orders/merge-content.ts";
import type { OrderContent } from "../orders/order-content.ts";

/** An order's change as the user made it: `base` is what was shown before (null for a new order), `next` after it. */
export interface ContentChange {
  posReference: string;
  base: OrderContent | null;
  next: OrderContent;
}

/** The content of a mutation, without what is decided when it is sent. */
type ActionOf<T extends OrderMutation["type"]> = Omit<
  Extract<OrderMutation, { type: T }>,
  "requestId" | "mutationId" | "queuedAt" | "baseVersion"
>;

/** A payment with whatever else the back-office wants to know about it. */
export type PaymentIntent = Omit<ActionOf<"ORDER_PAY">, "type" | "posReference">;

/** `seen` is the content that the user saw, `seenVersion` the version it came from. */
interface AsSeen {
  seen: OrderContent;
  seenVersion: number;
}

/** What the user wants; the message that carries it to the hub is decided when it is sent. */
export type Intent =
  | ({ type: "ORDER_UPSERT" } & ContentChange)
  | { type: "ORDER_BATCH"; orders: ContentChange[] }
  | ActionOf<"ORDER_SEND">
  | (ActionOf<"KITCHEN_SEEN"> & { posReference: string })
  | (ActionOf<"KITCHEN_BUMP"> & { posReference: string })
  | (ActionOf<"ORDER_CHECKOUT"> & AsSeen)
  | (ActionOf<"ORDER_REOPEN"> & AsSeen)
  | (ActionOf<"ORDER_DISCARD"> & AsSeen)
  | (ActionOf<"ORDER_PAY"> & AsSeen);

/** An ORDER_… or KITCHEN_… message as it goes over the wire. */
export type MutationMessage = Extract<TerminalMessageInput, { mutationId: string }>;

/** Why a mutation waits for a decision. */
export interface Refusal {
  errorCode: ErrorCode;
  error: string;
  collisions: Collision[];
  at: string;
}

/** One mutation in the outbox: plain data, as it is stored. */
export interface OutboxEntry {
  /** Its id on this device: its first mutationId. */
  id: string;
  /** Place in the queue; rises. */
  place: number;
  queuedAt: string;
  /** Changes only when the hub has refused the content and rebased content replaces it. */
  mutationId: string;
  intent: Intent;
  /** Decided once for this mutationId: sent again unchanged when its answer was lost. */
  message: MutationMessage | null;
  /** Set while it is a conflict. */
  refusal: Refusal | null;
}

/** The orders that a mutation is about. Mutations that share one are sent one after the other, in their order. */
export function ordersOf(intent: Intent): string[] {
  return intent.type === "ORDER_BATCH" ? intent.orders.map((order) => order.posReference) : [intent.posReference];
}
