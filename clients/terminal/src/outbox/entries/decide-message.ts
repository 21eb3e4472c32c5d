import type { StoredOrder } from "@comanda/protocol";
import { mergeContent, type Collision } from "../../orders/merge-content.ts";
import { totalsOfContent } from "../../orders/merge-totals.ts";
import { contentOf, linesOf, sameValue } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { roundOrder } from "../../orders/round-order.ts";
import type { ContentChange, MoneyIntent, MutationMessage, OutboxEntry, Refusal } from "./outbox-entry.ts";

/** More versions than are written while a message is on its way. */
const FAR_AHEAD = 1_000_000;

export type HubOrders = (posReference: string) => StoredOrder | undefined;

/** The hub's orders as this device has them. */
export interface OrdersOnHub {
  order: HubOrders;
  /** Whether a line stayed on one of the hub's checks, other than `own`, because taking it away from there was given up. */
  hasStayed(lineId: string, own: ReadonlySet<string>): boolean;
}

export type Decision = { message: MutationMessage } | { refused: Omit<Refusal, "at"> };
type Envelope = Pick<MutationMessage, "mutationId" | "requestId" | "queuedAt" | "actor" | "approval">;

/**
 * The message for a mutation, given the hub's orders. Content is rebased onto the hub's newest state; an action on what
 * the user saw (pay, check out, discard) names the version that was seen, so that the hub can refuse it. `menu` rounds what
 * two writers made together.
 */
export function decideMessage(entry: OutboxEntry, hub: OrdersOnHub, menu: PricedMenu | null = null): Decision {
  const { intent } = entry;
  const hubOrders = hub.order;
  const envelope = envelopeOf(entry);
  switch (intent.type) {
    case "ORDER_UPSERT": {
      const write = decideWrite(intent, hubOrders, menu);
      if ("refused" in write) return write;
      const additional = intent.additionalCheck === true ? { additionalCheck: true } : {};
      return { message: { type: intent.type, ...envelope, ...write, ...additional } };
    }
    case "ORDER_BATCH": {
      const changes = withoutStayed(intent.orders, hub);
      const writes = changes.map((order) => decideWrite(order, hubOrders, menu));
      const isEmptied = changes.some(
        (change, index) => change !== intent.orders[index] && change.base === null && linesOf(change.next).length === 0,
      );
      if (isEmptied) return refuse("NOT_FOUND", "none of these lines is on the check any more", []);
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
      if (stored === undefined) return { message: asPaymentWithContent(intent, envelope) };
      const isAnotherCheck = !sameValue(seen.totals, contentOf(stored.snapshot).totals);
      // The check that was paid is on no version of the hub, now or while the message travels. The hub refuses the
      // payment and lists the money for attention.
      const baseVersion = isAnotherCheck ? stored.version + FAR_AHEAD : Math.max(1, seenVersion);
      return { message: { ...action, ...envelope, baseVersion } };
    }
    case "ORDER_TENDER": {
      const { seen: _, seenVersion: __, ...action } = intent;
      const isOnHub = hubOrders(intent.posReference) !== undefined;
      return { message: isOnHub ? { ...action, ...envelope } : asPaymentWithContent(intent, envelope) };
    }
    case "ORDER_TENDER_VOID": {
      const { type, tenderId, reason } = intent;
      return { message: { type, ...envelope, tenderId, reason } };
    }
    case "KITCHEN_SEEN": {
      const { kitchenTicketId, stationId } = intent;
      return { message: { type: intent.type, ...envelope, kitchenTicketId, stationId } };
    }
    case "ORDER_SEND":
    case "KITCHEN_BUMP":
    case "KITCHEN_SERVED":
    case "KITCHEN_PRIORITY":
    case "ITEM_STATE_SET":
    case "TILL_OPEN":
    case "TILL_MOVE":
    case "TILL_COUNT":
    case "TILL_DRAWER":
      return { message: { ...intent, ...envelope } };
  }
}

function envelopeOf({ mutationId, queuedAt, actor, approval }: OutboxEntry): Envelope {
  return {
    mutationId,
    requestId: mutationId,
    queuedAt,
    ...(actor === undefined ? {} : { actor: actor.token }),
    ...(approval === undefined ? {} : { approval }),
  };
}

/** For a hub that does not have the order: the money with everything needed to apply it there. */
function asPaymentWithContent(intent: MoneyIntent, envelope: Envelope): MutationMessage {
  const { seen, seenVersion: _, ...action } = intent;
  const order = { type: "ORDER_PAY", ...envelope, baseVersion: 0, snapshot: seen } as const;
  if (action.type === "ORDER_PAY") return { ...action, ...order };
  const { type: __, posReference, tenderId, fiscal, ncf, ...payment } = action;
  return { ...order, posReference, paymentId: tenderId, payments: [payment], fiscal, ncf };
}

/** The changes without the lines that they bring to a check although they never left another one. */
function withoutStayed(changes: readonly ContentChange[], hub: OrdersOnHub): ContentChange[] {
  const own = new Set(changes.map(({ posReference }) => posReference));
  return changes.map((change) => {
    const had = new Set((change.base === null ? [] : linesOf(change.base)).map(({ id }) => id));
    const lines = linesOf(change.next).filter(({ id }) => had.has(id) || !hub.hasStayed(id, own));
    if (lines.length === linesOf(change.next).length) return change;
    const next = { ...change.next, lines };
    return { ...change, next: { ...next, totals: totalsOfContent(next) } };
  });
}

function decideWrite(change: ContentChange, hubOrders: HubOrders, menu: PricedMenu | null) {
  const { posReference, base, next } = change;
  const stored = hubOrders(posReference);
  if (base === null && stored === undefined) return { posReference, baseVersion: 0, snapshot: next };
  if (base === null) return refuse("CONFLICT", `the hub has another order ${posReference} already`, []);
  if (stored === undefined) return refuse("NOT_FOUND", `order ${posReference} is no longer on the hub`, []);
  const { content, collisions } = mergeContent(base, next, contentOf(stored.snapshot));
  if (collisions.length > 0) return refuse("CONFLICT", `order ${posReference} was changed elsewhere`, collisions);
  return { posReference, baseVersion: stored.version, snapshot: roundOrder(content, menu) };
}

function refuse(errorCode: Refusal["errorCode"], error: string, collisions: Collision[]) {
  return { refused: { errorCode, error, collisions } };
}
