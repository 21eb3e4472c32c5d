import { adoptHubContent } from "../../orders/adopt-hub-content.ts";
import { contentOf } from "../../orders/order-content.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { assertsContent, changesOf, versionsOf, writesOf } from "../entries/intent-content.ts";
import type { MutationAnswer } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { Slot } from "../queue/slot.ts";

/**
 * Gives the acknowledged version to the later mutations of each order: what they saw is what the hub now has, if no
 * other writer's change got into it. Answers those that have to be stored again.
 */
export function passOnVersions(queue: OutboxQueue, slot: Slot, answer: MutationAnswer): Slot[] {
  const changed: Slot[] = [];
  for (const { posReference, version } of versionsOf(answer)) {
    if (!assertsContent(slot.entry, posReference)) continue;
    for (const later of undecidedBehind(queue, slot, posReference)) {
      const { intent } = later.entry;
      if (!("seenVersion" in intent)) continue;
      intent.seenVersion = version;
      changed.push(later);
    }
  }
  return changed;
}

/** Gives the later mutations of each order the hub's form of the content that it stored. */
export function passOnContent(queue: OutboxQueue, slot: Slot, hubOrder: HubOrders): void {
  for (const { posReference, version } of versionsOf(slot.answer)) {
    const stored = hubOrder(posReference);
    const sent = writesOf(slot.entry.message).find((order) => order.posReference === posReference);
    if (stored === undefined || stored.version !== version || sent === undefined) continue;
    const content = contentOf(stored.snapshot);
    for (const { entry } of undecidedBehind(queue, slot, posReference)) {
      for (const change of changesOf(entry.intent).filter((order) => order.posReference === posReference)) {
        if (change.base !== null) change.base = adoptHubContent(change.base, sent.snapshot, content);
        change.next = adoptHubContent(change.next, sent.snapshot, content);
      }
      // Another intent than before, so that what it shows is worked out again.
      entry.intent = { ...entry.intent };
    }
  }
}

function undecidedBehind(queue: OutboxQueue, slot: Slot, posReference: string): Slot[] {
  return queue.behind(slot, posReference).filter(({ entry }) => entry.message === null);
}
