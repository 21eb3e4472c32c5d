import type { SubscriptionCounts } from "./deliveries/delivery-reads.ts";
import type { Subscription } from "./subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./sending/webhook-deps.ts";

type Counted = Pick<WebhookDeps, "subscriptions" | "deliveries" | "gathered">;

/** Counts events not yet delivered, gathered or already assigned to a delivery. */
export function countWaiting({ subscriptions, deliveries, gathered }: Counted) {
  const enabled = (): Subscription[] => subscriptions.list().filter(({ isEnabled }) => isEnabled);

  return {
    counts(): Pick<SubscriptionCounts, "pending" | "deadLettered"> {
      const { pending, deadLettered } = deliveries.counts();
      return { pending: enabled().reduce((sum, each) => sum + gathered.count(each), pending), deadLettered };
    },
    countsOf(subscription: Subscription): SubscriptionCounts {
      const counts = deliveries.countBySubscription(subscription.id);
      if (!subscription.isEnabled) return counts;
      return { ...counts, pending: counts.pending + gathered.count(subscription) };
    },
    /** When the oldest undelivered event occurred; null if none is waiting. */
    oldestAt: (): number | null => earliest([deliveries.oldestPendingAt(), ...enabled().map(gathered.oldestAt)]),
  };
}

function earliest(times: readonly (number | null)[]): number | null {
  const due = times.filter((time) => time !== null);
  return due.length === 0 ? null : Math.min(...due);
}
