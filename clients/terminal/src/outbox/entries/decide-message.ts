import { mergeContent, type Collision, type News } from "../../orders/merge-content.ts";
import { contentOf, sameValue } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { roundOrder } from "../../orders/round-order.ts";
import { changesByNow } from "./carried-lines.ts";
import type { HubOrders, LineLookup } from "./hub-orders.ts";
import { changesOf } from "./intent-content.ts";
import { followMoved } from "./moved-lines.ts";
import {
  newsOf,
  type ContentChange,
  type Intent,
  type MoneyIntent,
  type MutationMessage,
  type OutboxEntry,
  type Refusal,
} from "./outbox-entry.ts";

/** More versions than can be written while a message is in transit. */
const FAR_AHEAD = 1_000_000;

export type Decision = { message: MutationMessage } | { refused: Omit<Refusal, "at"> };
type SendIntent = Extract<Intent, { type: "ORDER_SEND" }>;
type Envelope = Pick<MutationMessage, "mutationId" | "requestId" | "queuedAt" | "actor" | "approval">;

/**
 * Returns the message for a mutation, given the hub's orders. Content is rebased onto the hub's newest state. An action on
 * what the user saw (pay, check out, discard) names the seen version, so the hub can refuse it. `menu` rounds merged content.
 */
export function decideMessage(
  entry: OutboxEntry,
  hubOrders: HubOrders,
  knowledge: { menu: PricedMenu | null; elsewhere: LineLookup } = {
    menu: null,
    elsewhere: () => ({ isElsewhere: false, parted: 0 }),
  },
): Decision {
  const { intent } = entry;
  const envelope = envelopeOf(entry);
  switch (intent.type) {
    case "ORDER_UPSERT":
    case "ORDER_BATCH": {
      const writes = decideWrites(entry, hubOrders, knowledge);
      if ("refused" in writes) return writes;
      if (intent.type === "ORDER_BATCH") return { message: { type: intent.type, ...envelope, orders: writes } };
      const [write] = writes;
      if (write === undefined) throw new Error("an edit is of one order");
      const additional = intent.additionalCheck === true ? { additionalCheck: true } : {};
      return { message: { type: intent.type, ...envelope, ...write, ...additional } };
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
      // The paid check matches no version of the hub, now or while the message is in transit. The hub refuses the payment and
      // lists the money for attention.
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
    case "ORDER_SEND": {
      const lineIds = remainingLineIds(intent, hubOrders);
      if (lineIds?.length === 0) return noLineLeft();
      return { message: { ...intent, lineIds, ...envelope } };
    }
    case "KITCHEN_SEEN":
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
    ...(actor !== undefined && { actor: actor.token }),
    ...(approval !== undefined && { approval }),
  };
}

/** Returns a payment with the order's content, for a hub that does not have the order. */
function asPaymentWithContent(intent: MoneyIntent, envelope: Envelope): MutationMessage {
  const { seen, seenVersion: _, ...action } = intent;
  const order = { type: "ORDER_PAY", ...envelope, baseVersion: 0, snapshot: seen } as const;
  if (action.type === "ORDER_PAY") return { ...action, ...order };
  const { type: __, posReference, tenderId, seenDue: ___, fiscal, ncf, ...payment } = action;
  return { ...order, posReference, paymentId: tenderId, payments: [payment], fiscal, ncf };
}

/** Returns the writes of all orders, or the first refusal. */
function decideWrites(
  entry: OutboxEntry,
  hubOrders: HubOrders,
  { menu, elsewhere }: { menu: PricedMenu | null; elsewhere: LineLookup },
) {
  const carried = changesByNow(changesOf(entry.intent), hubOrders, menu);
  if (carried === null) return noLineLeft();
  const { changes, asks } = followMoved(carried, { hubOrder: hubOrders, elsewhere, menu });
  const news = newsOf(entry, menu);
  const writes = changes.map((change) =>
    decideWrite(change, hubOrders, { menu, news, asks: asks.get(change.posReference) ?? [] }),
  );
  const refused = writes.find((write) => "refused" in write);
  return refused ?? writes.flatMap((write) => ("refused" in write ? [] : [write]));
}

/** Returns the line ids of a send without those that have left the check. */
export function remainingLineIds({ posReference, lineIds }: SendIntent, hubOrders: HubOrders): string[] | undefined {
  const lines = hubOrders(posReference)?.snapshot.lines;
  return lines === undefined ? lineIds : lineIds?.filter((lineId) => lines.some(({ id }) => id === lineId));
}

/** Whether a send names lines that have left its check since its message was decided. */
export function namesRemovedLines({ intent, message }: OutboxEntry, hubOrders: HubOrders): boolean {
  if (intent.type !== "ORDER_SEND" || message?.type !== "ORDER_SEND") return false;
  return (remainingLineIds(intent, hubOrders)?.length ?? 0) < (message.lineIds?.length ?? 0);
}

function noLineLeft() {
  return refuse("NOT_FOUND", "the check has none of these lines", []);
}

function decideWrite(
  change: ContentChange,
  hubOrders: HubOrders,
  { menu, news, asks }: { menu: PricedMenu | null; news: News | null; asks: readonly string[] },
) {
  const { posReference, base, next } = change;
  const stored = hubOrders(posReference);
  if (base === null && stored === undefined) return { posReference, baseVersion: 0, snapshot: next };
  if (base === null) return refuse("CONFLICT", `the hub has another order ${posReference} already`, []);
  if (stored === undefined) return refuse("NOT_FOUND", `order ${posReference} is no longer on the hub`, []);
  const { content, collisions: colliding } = mergeContent(base, next, contentOf(stored.snapshot), news);
  const isQuestion = (each: Collision): boolean => each.kind === "line" && asks.includes(each.lineId);
  const collisions = [
    ...colliding.filter((each) => !isQuestion(each)),
    ...asks.map((lineId) => ({ kind: "line", lineId }) as const),
  ];
  if (collisions.length > 0) return refuse("CONFLICT", `order ${posReference} was changed elsewhere`, collisions);
  return { posReference, baseVersion: stored.version, snapshot: roundOrder(content, menu) };
}

function refuse(errorCode: Refusal["errorCode"], error: string, collisions: Collision[]) {
  return { refused: { errorCode, error, collisions } };
}
