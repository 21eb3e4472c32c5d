import type { Tx } from "../../changes/change.ts";
import type { Claimed } from "../deliveries/delivery-queue.ts";
import type { Lane, Lanes } from "./lanes.ts";
import { pausedUntil } from "../subscriptions/pauses.ts";
import type { Subscription } from "../subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

export type Gathering = ReturnType<typeof createGathering>;

/**
 * Gathers the events for a receiver that is behind or does not answer. Instead of one delivery per event, written with every
 * change and again at every failure, the subscription's row stores the range of events. An event becomes a delivery when its
 * first attempt begins.
 */
export function createGathering(
  deps: WebhookDeps & { lanes: Lanes; canSend: (subscription: Subscription) => boolean },
) {
  const { world, subscriptions, deliveries, gathered, lanes, canSend } = deps;

  function pauseOf({ id }: Subscription): number | null {
    return pausedUntil(subscriptions.health(id), world.clock.now());
  }

  /** Whether a new delivery can be sent at once. */
  function keepsUp(subscription: Subscription): boolean {
    const lane = lanes.get(subscription.id);
    return !lane.hasBacklog && lanes.room(lane) > 0 && pauseOf(subscription) === null;
  }

  function isIdle({ inFlight, waiting }: Lane): boolean {
    return inFlight === 0 && waiting.length === 0;
  }

  /** Claims gathered events as deliveries under way. */
  function take({ id: subscriptionId }: Subscription, limit: number): Claimed[] {
    const subscription = subscriptions.get(subscriptionId);
    if (subscription === null || subscription.gathered === null || limit <= 0) return [];
    const events = gathered.listFirst(subscription, limit);
    const last = events.at(-1);
    const { to } = subscription.gathered;
    const from = (last?.id ?? 0) + 1;
    const isOver = events.length < limit || (to !== null && from > to);
    subscriptions.setGathered(subscriptionId, isOver ? null : { from, to });
    return events.map(({ id: eventId, event, subject, content, createdAt }) => {
      const id = deliveries.add({ subscriptionId, eventId, event, subject, now: createdAt }, true);
      return { id, event, content, attempts: 1 };
    });
  }

  return {
    /** Gathers an event for a subscription instead of adding a delivery, if needed; runs in the event's transaction. */
    takes(subscription: Subscription, eventId: number): boolean {
      const { id, gathered: range } = subscription;
      if (range !== null) return range.to === null;
      if (!canSend(subscription) || keepsUp(subscription)) return false;
      subscriptions.setGathered(id, { from: eventId, to: null });
      lanes.get(id).hasBacklog = true;
      return true;
    },
    keepsUp,

    /** Claims the next deliveries. For a paused receiver: due retries, and after each pause one that was never attempted. */
    claim(tx: Tx, lane: Lane, subscription: Subscription): Claimed[] {
      const { id } = subscription;
      const room = lanes.room(lane);
      const until = pauseOf(subscription);
      // The receiver may just have answered again.
      if (until === null && subscription.gathered !== null) lane.hasBacklog = true;
      if (!lane.hasBacklog || room <= 0) return [];
      if (until === null) {
        const claimed = deliveries.claimDue(id, tx.now, room);
        claimed.push(...take(subscription, room - claimed.length));
        lane.hasBacklog = claimed.length === room;
        return claimed;
      }
      lane.hasBacklog = false;
      const again = deliveries.claimDue(id, tx.now, room, true);
      if (again.length > 0 || until > tx.now || !isIdle(lane)) return again;
      const never = deliveries.claimDue(id, tx.now, 1);
      return never.length > 0 ? never : take(subscription, 1);
    },

    /** When something can be claimed, ms since 1970; Infinity if only a result can change that. */
    dueAt(lane: Lane, subscription: Subscription): number {
      const { id, gathered: range } = subscription;
      const until = pauseOf(subscription);
      const next = deliveries.nextDueAt(id) ?? Infinity;
      if (lanes.room(lane) <= 0) return Infinity;
      if (until === null) return range === null ? next : 0;
      const isWaiting = range !== null || next < Infinity;
      return Math.min(deliveries.nextRetryAt(id) ?? Infinity, isWaiting && isIdle(lane) ? until : Infinity);
    },
  };
}
