import { MINUTE_MS } from "@comanda/protocol";
import { logEvent } from "../../platform/log-event.ts";
import type { Tx } from "../../changes/change.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import { backoffMs } from "../deliveries/backoff.ts";
import type { Result } from "./lanes.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** How long a receiver must not have failed until its next failure is logged. */
const QUIET_MS = 10 * MINUTE_MS;

/** Whether the receiver accepted the delivery. */
export function isDelivered({ exchange }: Result): boolean {
  const status = exchange?.status ?? null;
  return status !== null && status >= 200 && status < 300;
}

/** Saves a delivery's result: delivered, to be retried, dead-lettered, or unclaimed if it had no complete attempt. */
export function saveResult({ world, subscriptions, deliveries }: WebhookDeps, tx: Tx, result: Result): void {
  const { exchange } = result;
  const { subscriptionId } = result.lane;
  const { id, attempts } = result.claimed;
  if (exchange === null || exchange.wasCutOff) {
    deliveries.giveBack(id, tx.now);
    return;
  }
  deliveries.logAttempt(id, exchange);
  if (isDelivered(result)) {
    deliveries.settleDelivered(id, tx.now);
    subscriptions.noteSuccess(subscriptionId, tx.now);
    return;
  }
  const { status, error, detail } = exchange;
  const facts = { delivery: id, webhook: subscriptionId, status, error, detail };
  // A receiver that is down, or fails now and then, would fill the log.
  const { consecutiveFailures, lastFailure } = subscriptions.health(subscriptionId);
  const isNews = lastFailure === null || Math.abs(tx.now - lastFailure.at) > QUIET_MS;
  if (consecutiveFailures === 0 && isNews) {
    world.log.warn(logEvent("webhook_refused", facts), "a webhook receiver does not accept deliveries");
  }
  if (subscriptions.noteFailure(subscriptionId, tx.now, status, error ?? "http_error")) {
    tx.notify(["webhooks"], { kind: "webhook_paused", level: "warn", ...addressOf(subscriptions, subscriptionId) });
  }
  const waitMs = backoffMs(attempts);
  if (waitMs !== null) {
    deliveries.retryAt(id, tx.now + waitMs);
    return;
  }
  deliveries.settleDead(id, tx.now);
  world.log.warn(logEvent("webhook_dead_lettered", facts), "a webhook delivery was dead-lettered");
  tx.notify(["webhooks"], { kind: "webhook_dead_lettered", level: "bad", ...addressOf(subscriptions, subscriptionId) });
}

function addressOf(subscriptions: SubscriptionStore, id: string): { detail?: { text: string } } {
  const url = subscriptions.get(id)?.url;
  return url === undefined ? {} : { detail: { text: redactUrl(url) } };
}
