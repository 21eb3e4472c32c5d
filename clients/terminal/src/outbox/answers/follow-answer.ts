import { adoptHubContent } from "../../orders/adopt-hub-content.ts";
import { contentOf } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { assertsContent, changesOf, versionsOf, writesOf } from "../entries/intent-content.ts";
import type { MutationAnswer } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import { followRewritten, rewrittenLines, type RewrittenLine } from "../entries/rewritten-lines.ts";
import type { Slot } from "../queue/slot.ts";

/**
 * Passes the acknowledged version to the later mutations of each order, unless another writer's change was merged into it:
 * what they were based on is what the hub now has. Returns the slots to store again.
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

/**
 * Passes the lines that were actually sent, and the content as the hub stored it, to the later mutations of each order.
 * Returns the slots to store again.
 */
export function passOnContent(
  queue: OutboxQueue,
  slot: Slot,
  { hubOrder, menu }: { hubOrder: HubOrders; menu: PricedMenu | null },
): Slot[] {
  const followed = passOnLines(queue, slot, writesOf(slot.entry.message), menu);
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
      // A new object, so that the local state is computed again.
      entry.intent = { ...entry.intent };
    }
  }
  return followed;
}

/** Reverts a discarded mutation's lines in the later mutations. Returns the slots to store again. */
export function passOnDiscarded(queue: OutboxQueue, slot: Slot, menu: PricedMenu | null): Slot[] {
  const before = changesOf(slot.entry.intent).flatMap(({ posReference, base }) =>
    base === null ? [] : [{ posReference, snapshot: base }],
  );
  return passOnLines(queue, slot, before, menu);
}

/** `made`: the actual result for the checks of the mutation. */
function passOnLines(
  queue: OutboxQueue,
  { entry: { intent, place } }: Slot,
  made: Parameters<typeof rewrittenLines>[1],
  menu: PricedMenu | null,
): Slot[] {
  let rewritten: readonly RewrittenLine[] = rewrittenLines(changesOf(intent), made);
  return queue.slots().filter(({ entry: later }) => {
    if (rewritten.length === 0 || later.place <= place || later.message !== null) return false;
    const changes = changesOf(later.intent);
    const followed = followRewritten(changes, rewritten, menu);
    rewritten = followed.left;
    if (followed.changes === changes) return false;
    for (const [index, change] of changes.entries()) Object.assign(change, followed.changes[index]);
    later.intent = { ...later.intent };
    return true;
  });
}

function undecidedBehind(queue: OutboxQueue, slot: Slot, posReference: string): Slot[] {
  return queue.behind(slot, posReference).filter(({ entry }) => entry.message === null);
}
