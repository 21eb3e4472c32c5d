import type {
  DeadLetters,
  DeliveryDetail,
  DeliveryQuery,
  OperatorDelivery,
  OperatorWebhook,
  Overview,
  WebhookEvent,
  WebhookTestResult,
} from "@comanda/protocol";
import type { Jobs } from "../../jobs/jobs.ts";
import { explainedError, requireFound } from "../../platform/errors.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import { isoTime, isoTimeOrNull } from "../../platform/world.ts";
import { deliveryHeaders } from "../../webhooks/sending/delivery-headers.ts";
import { subjectOfTable, tableOfSubject } from "../../webhooks/sending/event-of.ts";
import type { Attempt, Delivery, SubscriptionCounts } from "../../webhooks/deliveries/delivery-reads.ts";
import { findWebhookDeliveriesJob, isDeliverySearch } from "../../webhooks/deliveries/find-deliveries.ts";
import type { Subscription } from "../../webhooks/subscriptions/subscription-rows.ts";
import { presentSubscription } from "../../webhooks/subscriptions/subscription-store.ts";
import type { SubscriptionHealth } from "../../webhooks/subscriptions/pauses.ts";
import { countWaiting } from "../../webhooks/count-waiting.ts";
import type { WebhookDeps } from "../../webhooks/sending/webhook-deps.ts";
import type { WebhookService } from "../../webhooks/webhook-service.ts";
import type { auditWebhooks } from "./audit-webhooks.ts";
import type { WebhookAttempt } from "../orders/order-history.ts";

export type WebhookAdmin = ReturnType<typeof createWebhookAdmin>;

interface AdminDeps extends WebhookDeps {
  jobs: Jobs;
  /** Path of the data file. */
  file: string;
  note: ReturnType<typeof auditWebhooks>;
  webhooks: WebhookService;
  hasHadKey: () => boolean;
  /** Returns the ids of tables whose name contains a text. */
  tablesNamed(text: string): number[];
}

/** The webhooks as the Integrations screen shows them, and the actions of a manager. */
export function createWebhookAdmin(deps: AdminDeps) {
  const { world, changes, jobs, file, note, subscriptions, deliveries, webhooks } = deps;
  const waiting = countWaiting(deps);

  /** Returns the counts for the overview; null if there has been neither a key nor a webhook. */
  function counts(): Overview["webhooks"] {
    if (!deps.hasHadKey() && subscriptions.list().length === 0) return null;
    const receiversPaused = subscriptions.listPaused(world.clock.now()).length;
    const oldestAt = isoTimeOrNull(waiting.oldestAt());
    return { ...waiting.counts(), oldestAt, paused: webhooks.isPaused(), receiversPaused };
  }

  const requireDelivery = (id: number): Delivery => requireFound(deliveries.get(id), `there is no delivery ${id}`);

  /** Returns a webhook's redacted URL, also of a deleted one that deliveries still refer to. */
  function urlOf(id: string): string {
    const subscription = subscriptions.find(id);
    return subscription === null ? "" : redactUrl(subscription.url);
  }

  const present = (each: Subscription): OperatorWebhook =>
    presentWebhook(each, webhooks.pausedUntil(each), waiting.countsOf(each), subscriptions.health(each.id));
  const presentWithUrl = (each: Delivery): OperatorDelivery => presentDelivery(each, urlOf(each.subscriptionId));

  return {
    counts,

    list: () => ({ webhooks: subscriptions.list().map(present), paused: webhooks.isPaused() }),

    /** Returns a webhook as the list shows it. */
    get: (id: string): OperatorWebhook => present(subscriptions.require(id)),

    async test(id: string, event: WebhookEvent | undefined, userName: string): Promise<WebhookTestResult> {
      await changes.write((tx) => note(tx, { userName }, "webhook.test", subscriptions.require(id)));
      const { status, error, ms, answer, request } = await webhooks.test(id, event);
      // Only for a sample event, to show developers what was signed.
      const sent =
        event === undefined || request === null
          ? {}
          : { request: { headers: request.headers, body: request.body.toString() } };
      if (status === null) return { sent: false, error: error ?? "unreachable", ...sent };
      return { sent: true, status, durationMs: ms, answer: answer ?? "", ...sent };
    },

    async page(
      { webhookId: subscriptionId, state, event, search: text = "" }: DeliveryQuery,
      below: number | null,
      limit: number,
      signal: AbortSignal,
    ) {
      const search = text === "" ? {} : { search: text, subjects: deps.tablesNamed(text).map(subjectOfTable) };
      const filter = { subscriptionId, state, event, ...search };
      const page = { ...filter, below: below ?? undefined, limit };
      if (!isDeliverySearch(filter)) {
        return { deliveries: deliveries.list(page).map(presentWithUrl), ...deliveries.count(filter) };
      }
      const { ids, ...total } = await jobs.query(findWebhookDeliveriesJob, { file, page }, { signal });
      return { deliveries: ids.flatMap((id) => deliveries.get(id) ?? []).map(presentWithUrl), ...total };
    },

    delivery(id: number): DeliveryDetail {
      const delivery = requireDelivery(id);
      const body = deliveries.body(id) ?? "";
      const secret = subscriptions.find(delivery.subscriptionId)?.secret ?? null;
      const attempts = deliveries.listAttempts(id).map((each) => presentAttempt(each, delivery, body, secret));
      return { delivery: presentWithUrl(delivery), body, attempts };
    },

    async replay(id: number, userName: string): Promise<OperatorDelivery> {
      requireDelivery(id);
      if (!(await webhooks.replay(id, { userName }))) {
        throw explainedError("VALIDATION_ERROR", "delivery_under_way", { id });
      }
      return presentWithUrl(requireDelivery(id));
    },

    dead: (): DeadLetters => ({
      groups: deliveries.listDeadGroups().map(({ subscriptionId, oldestAt, ...group }) => ({
        ...group,
        webhookId: subscriptionId,
        url: urlOf(subscriptionId),
        oldestAt: isoTime(oldestAt),
      })),
    }),

    /** Returns all attempts to deliver events of an order. */
    attemptsOf: (posReference: string): WebhookAttempt[] =>
      deliveries.listBySubject(posReference).flatMap(({ id, subscriptionId, event }) =>
        deliveries.listAttempts(id).map(({ attempt, at, status, error, ms }) => ({
          attempt,
          at: isoTime(at),
          status,
          error,
          deliveryId: id,
          url: urlOf(subscriptionId),
          event,
          durationMs: ms,
        })),
      ),
  };
}

/** Returns a webhook for the list of the Integrations screen. */
function presentWebhook(
  subscription: Subscription,
  pausedUntil: number | null,
  { nextAttemptAt, ...counts }: SubscriptionCounts,
  { consecutiveFailures, lastSuccessAt, lastFailure }: SubscriptionHealth,
): OperatorWebhook {
  return {
    ...presentSubscription(subscription, null, pausedUntil),
    ...counts,
    nextAttemptAt: isoTimeOrNull(nextAttemptAt),
    consecutiveFailures,
    lastSuccessAt: isoTimeOrNull(lastSuccessAt),
    lastFailure: lastFailure === null ? null : { ...lastFailure, at: isoTime(lastFailure.at) },
  };
}

/** Returns a delivery; `url` is the redacted URL of its webhook. */
function presentDelivery(delivery: Delivery, url: string): OperatorDelivery {
  const { subscriptionId, createdAt, nextAttemptAt, ...shown } = delivery;
  return {
    ...shown,
    webhookId: subscriptionId,
    url,
    tableId: tableOfSubject(shown.event, shown.subject),
    createdAt: isoTime(createdAt),
    nextAttemptAt: isoTimeOrNull(nextAttemptAt),
  };
}

/** Returns an attempt with its headers; `secret` is null if it is no longer known. */
function presentAttempt(
  { attempt, at, status, error, ms, answer }: Attempt,
  { id, event }: Delivery,
  body: string,
  secret: string | null,
): DeliveryDetail["attempts"][number] {
  const headers = deliveryHeaders({ id, event, secret, at, body: Buffer.from(body) });
  return { attempt, at: isoTime(at), status, error, durationMs: ms, headers, answer };
}
