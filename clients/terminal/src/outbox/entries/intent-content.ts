import { sameContent, type OrderContent } from "../../orders/order-content.ts";
import type { ContentChange, Intent, MutationAnswer, MutationMessage, OutboxEntry } from "./outbox-entry.ts";

export function isContentChange(intent: Intent): boolean {
  return changesOf(intent).length > 0;
}

export function changesOf(intent: Intent): ContentChange[] {
  if (intent.type === "ORDER_BATCH") return intent.orders;
  return intent.type === "ORDER_UPSERT" ? [intent] : [];
}

/** Returns the orders that a mutation creates. */
export function createdBy(intent: Intent): string[] {
  return changesOf(intent)
    .filter(({ base }) => base === null)
    .map(({ posReference }) => posReference);
}

export function writesOf(message: MutationMessage | null): { posReference: string; snapshot: OrderContent }[] {
  if (message?.type === "ORDER_BATCH") return message.orders;
  return message?.type === "ORDER_UPSERT" ? [message] : [];
}

/** Whether an acknowledgement of the mutation means that the hub's content equals what this device showed. */
export function assertsContent(entry: OutboxEntry, posReference: string): boolean {
  const { type } = entry.intent;
  if (type === "ORDER_CHECKOUT" || type === "ORDER_REOPEN") return true;
  const change = changesOf(entry.intent).find((order) => order.posReference === posReference);
  const sent = writesOf(entry.message).find((order) => order.posReference === posReference);
  // If it was rebased onto another writer's change, the hub has more than the user's own change.
  return change !== undefined && sent !== undefined && sameContent(change.next, sent.snapshot);
}

export function versionsOf(answer: MutationAnswer | null): { posReference: string; version: number }[] {
  if (answer?.type !== "ORDER_ACK") return [];
  const { orders, posReference, version } = answer;
  if (orders !== undefined) return orders;
  return posReference === undefined || version === undefined ? [] : [{ posReference, version }];
}

export function lastSeqOf(answer: MutationAnswer | null): number {
  const orders = answer?.type === "ORDER_ACK" ? (answer.orders ?? []) : [];
  return Math.max(answer?.seq ?? 0, ...orders.map((order) => order.seq));
}
