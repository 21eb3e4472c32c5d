import type { DeliveryDetail, OperatorDelivery, OperatorWebhook } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";
import { deliveryHeaders } from "../webhooks/delivery-headers.ts";
import type { Attempt, Delivery, SubscriptionCounts } from "../webhooks/delivery-store.ts";
import { presentSubscription, type Subscription, type SubscriptionHealth } from "../webhooks/subscription-store.ts";

/** A webhook in the list of the Integrations screen. */
export function presentWebhook(
  subscription: Subscription,
  { oldestPendingAt, nextAttemptAt, ...counts }: SubscriptionCounts,
  { consecutiveFailures, lastSuccessAt, lastFailure }: SubscriptionHealth,
): OperatorWebhook {
  return {
    ...presentSubscription(subscription, null),
    ...counts,
    oldestPendingAt: isoOrNull(oldestPendingAt),
    nextAttemptAt: isoOrNull(nextAttemptAt),
    consecutiveFailures,
    lastSuccessAt: isoOrNull(lastSuccessAt),
    lastFailure: lastFailure === null ? null : { ...lastFailure, at: isoTime(lastFailure.at) },
  };
}

/** A delivery; `url` is the redacted address of its webhook. */
export function presentDelivery(delivery: Delivery, url: string): OperatorDelivery {
  const { subscriptionId, createdAt, nextAttemptAt, settledAt, ...shown } = delivery;
  return {
    ...shown,
    webhookId: subscriptionId,
    url,
    createdAt: isoTime(createdAt),
    nextAttemptAt: isoOrNull(nextAttemptAt),
    deliveredAt: shown.state === "delivered" ? isoOrNull(settledAt) : null,
  };
}

/** An attempt with the headers that were sent; `secret` null when it is not known any more. */
export function presentAttempt(
  { attempt, at, status, error, ms, answer }: Attempt,
  { id, event }: Delivery,
  body: string,
  secret: string | null,
): DeliveryDetail["attempts"][number] {
  const headers = deliveryHeaders({ id, event, secret, at, body: Buffer.from(body) });
  return { attempt, at: isoTime(at), status, error, durationMs: ms, headers, answer };
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
