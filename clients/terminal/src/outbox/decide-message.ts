import type { StoredOrder } from "@comanda/protocol";
import { mergeContent, type Collision } from "../orders/merge-content.ts";
import { contentOf, sameValue } from "../orders/order-content.ts";
import type { ContentChange, MutationMessage, OutboxEntry, Refusal } from "./outbox-entry.ts";

/** More versions than are written while a message is on its way. */
const FAR_AHEAD = 1_000_000;

export type HubOrders = (posReference: string) => StoredOrder | undefined;

export type Decision = { message: MutationMessage } | { refused: Omit<Refusal, "at"> };

/**
 * The message for a mutation, given the hub's orders. Content is rebased onto the hub's newest state; an action on what
 * the user saw (pay, check out, discard) names the version that was seen, so that the hub can refuse it.
 */
export function decideMessage(entry: OutboxEntry, hubOrders: HubOrders): Decision {
  const { intent, mutationId, queuedAt } = entry;
  const envelope = { mutationId, requestId: mutationId, queuedAt };
  switch (intent.type) {
    case "ORDER_UPSERT": {
      const write = decideWrite(intent, hubOrders);
      return "refused" in write ? write : { message: { type: intent.type, ...envelope, ...write } };
    }
    case "ORDER_BATCH": {
      const writes = intent.orders.map((order) => decideWrite(order, hubOrders));
      const refused = writes.find((write) => "refused" in write);
      if (refused !== undefined) return refused;
      const orders = writes.flatMap((write) => ("refused" in write ? [] : [write]));
      return { message: { type: intent.type, ...envelope, orders } };
    }
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN":
    case "ORDER_DISCARD": {
      const { seen: _, seenVersion, ...action } = intent;
      return { message: { ...action, ...envelope, baseVersion: Math.max(1, seenVersion) } };
    }
    case "ORDER_PAY": {
      const { seen, seenVersion, ...action } = intent;
      const stored = hubOrders(intent.posReference);
      const isAnotherCheck = stored !== undefined && !sameValue(seen.totals, contentOf(stored.snapshot).totals);
      // The check that was paid is on no version of the hub, now or while the message travels. The hub refuses the
      // payment and lists the money for attention.
      const baseVersion = isAnotherCheck ? stored.version + FAR_AHEAD : Math.max(1, seenVersion);
      return { message: { ...action, ...envelope, baseVersion } };
    }
    case "KITCHEN_SEEN": {
      const { kitchenTicketId, stationId } = intent;
      return { message: { type: intent.type, ...envelope, kitchenTicketId, stationId } };
    }
    case "ORDER_SEND":
    case "KITCHEN_BUMP":
      return { message: { ...intent, ...envelope } };
  }
}

function decideWrite(change: ContentChange, hubOrders: HubOrders) {
  const { posReference, base, next } = change;
  const stored = hubOrders(posReference);
  if (base === null && stored === undefined) return { posReference, baseVersion: 0, snapshot: next };
  if (base === null) return refuse("CONFLICT", `the hub has another order ${posReference} already`, []);
  if (stored === undefined) return refuse("NOT_FOUND", `order ${posReference} is no longer on the hub`, []);
  const { content, collisions } = mergeContent(base, next, contentOf(stored.snapshot));
  if (collisions.length > 0) return refuse("CONFLICT", `order ${posReference} was changed elsewhere`, collisions);
  return { posReference, baseVersion: stored.version, snapshot: content };
}

function refuse(errorCode: Refusal["errorCode"], error: string, collisions: Collision[]) {
  return { refused: { errorCode, error, collisions } };
}
