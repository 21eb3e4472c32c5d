import type { SubscriptionCounts } from "./deliveries/delivery-reads.ts";
import type { Subscription } from "./subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./sending/webhook-deps.ts";

type Counted = Pick<WebhookDeps, "subscriptions" | "deliveries" | "gathered">;

/** What waits for receivers, whether it is gathered or has a delivery already. */
export function countWaiting({ subscriptions, deliveries, gathered }: Counted) {
  const enabled = (): Subscription[] => subscriptions.list().filter(({ isEnabled }) => isEnabled);

  return {
    counts(): Pick<SubscriptionCounts, "pending" | "deadLettered"> {
      const { pending, deadLettered } = deliveries.counts();
      return { pending: enabled().reduce((sum, each) => sum + gathered.count(each), pending), deadLettered };
    },
    countsOf(subscription: Subscription): SubscriptionCounts {
      const counts = deliveries.countsOf(subscription.id);
      if (!subscription.isEnabled) return counts;
      const oldestPendingAt = earliest([counts.oldestPendingAt, gathered.oldestAt(subscription)]);
      return { ...counts, pending: counts.pending + gathered.count(subscription), oldestPendingAt };
    },
    /** When the oldest of it occurred; null when nothing waits. */
    oldestAt: (): number | null => earliest([deliveries.oldestPendingAt(), ...enabled().map(gathered.oldestAt)]),
  };
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
