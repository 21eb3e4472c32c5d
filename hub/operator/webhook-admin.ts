import type {
  DeadLetters,
  DeliveryDetail,
  DeliveryQuery,
  OperatorDelivery,
  OperatorWebhook,
  Overview,
  WebhookTestResult,
} from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { redactUrl } from "../platform/redact-url.ts";
import { findWebhookDeliveriesJob } from "../webhooks/find-deliveries-job.ts";
import { deliveryHeaders } from "../webhooks/delivery-headers.ts";
import type { Delivery, DeliveryStore } from "../webhooks/delivery-store.ts";
import type { Dispatcher } from "../webhooks/dispatcher.ts";
import { isDeliverySearch } from "../webhooks/find-deliveries.ts";
import {
  presentSubscription,
  type Subscription,
  type SubscriptionStore,
  type SubscriptionWithSecret,
} from "../webhooks/subscription-store.ts";
import type { WebhookService } from "../webhooks/webhook-service.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { AuditLog } from "./audit-log.ts";
import type { WebhookAttempt } from "./order-history.ts";

export type WebhookAdmin = ReturnType<typeof createWebhookAdmin>;

const COUNTS_MS = 1_000;

/** The webhooks as a manager sees and handles them; every deed is written down with its effect. */
export function createWebhookAdmin(deps: {
  world: World;
  changes: ChangeLog;
  jobs: Jobs;
  /** The data file. */
  file: string;
  audit: AuditLog;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  dispatcher: Dispatcher;
  webhooks: WebhookService;
  hasHadKey: () => boolean;
}) {
  const { world, changes, jobs, file, audit, subscriptions, deliveries, dispatcher, webhooks } = deps;
  let counted: { at: number; counts: Overview["webhooks"] } | null = null;

  function noteDeed(tx: Tx, userName: string, action: string, target: string): void {
    audit.record(tx, userName, action, target);
    tx.emit({ kind: "notice", notice: { topics: ["webhooks", "deliveries"] } });
  }

  /** Does `work`, written down, with the lists of webhooks and deliveries read again. */
  async function act<T extends Subscription | boolean>(
    userName: string,
    action: string,
    target: string,
    work: (tx: Tx) => T,
  ): Promise<T> {
    const done = await changes.write((tx) => {
      const result: Subscription | boolean = work(tx);
      noteDeed(tx, userName, action, target);
      return result;
    });
    counted = null;
    dispatcher.wake();
    return done as T;
  }

  function require(id: string): Subscription {
    const subscription = subscriptions.get(id);
    if (subscription === null) throw noSuchWebhook(id);
    return subscription;
  }

  function requireDelivery(id: number): Delivery {
    const delivery = deliveries.get(id);
    if (delivery === null) throw new HubError("NOT_FOUND", `there is no delivery ${id}`);
    return delivery;
  }

  /** The address as it is shown, also of a webhook that is deleted while deliveries still name it. */
  function urlOf(id: string): string {
    const subscription = subscriptions.find(id);
    return subscription === null ? "" : redactUrl(subscription.url);
  }

  function present(subscription: Subscription): OperatorWebhook {
    const { oldestPendingAt, nextAttemptAt, ...counts } = deliveries.countsOf(subscription.id);
    const { consecutiveFailures, lastSuccessAt, lastFailure } = subscriptions.health(subscription.id);
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

  function presentDelivery(delivery: Delivery): OperatorDelivery {
    const { id, subscriptionId, event, subject, state, attempts, createdAt, settledAt } = delivery;
    return {
      id,
      webhookId: subscriptionId,
      url: urlOf(subscriptionId),
      event,
      subject,
      state,
      attempts,
      createdAt: isoTime(createdAt),
      nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
      deliveredAt: state === "delivered" ? isoOrNull(settledAt) : null,
      lastStatus: delivery.lastStatus,
      lastError: delivery.lastError,
    };
  }

  return {
    /** Null until a first API key exists. */
    counts(): Overview["webhooks"] {
      if (!deps.hasHadKey() && subscriptions.list().length === 0) return null;
      const now = world.clock.monotonic();
      if (counted !== null && now - counted.at < COUNTS_MS) return counted.counts;
      const oldestAt = isoOrNull(deliveries.oldestPendingAt());
      const counts = { ...deliveries.counts(), oldestAt, paused: dispatcher.isPaused() };
      counted = { at: now, counts };
      return counts;
    },

    list: () => ({ webhooks: subscriptions.list().map(present), paused: dispatcher.isPaused() }),

    create: (
      asked: { url: string; events?: readonly string[] | undefined },
      userName: string,
    ): Promise<SubscriptionWithSecret> =>
      act(userName, "webhook.create", redactUrl(asked.url), (tx) =>
        subscriptions.create(tx, { ...asked, createdBy: "hub" }),
      ),

    async setEnabled(id: string, isEnabled: boolean, userName: string): Promise<OperatorWebhook> {
      const url = redactUrl(require(id).url);
      await act(userName, isEnabled ? "webhook.enable" : "webhook.disable", url, (tx) => {
        const feed = { kind: "webhook_disabled", level: "warn", detail: { userName, text: url } } as const;
        if (!isEnabled) tx.emit({ kind: "notice", notice: { topics: [], feed } });
        if (isEnabled) deliveries.unpark(id, tx.now);
        return subscriptions.setEnabled(id, isEnabled);
      });
      // The rest of what was parked follows.
      dispatcher.unpark();
      return present(require(id));
    },

    async remove(id: string, userName: string): Promise<void> {
      const url = redactUrl(require(id).url);
      await act(userName, "webhook.delete", url, (tx) => subscriptions.remove(tx.now, id));
    },

    /** Signs from now on with the given secret, or with a new one; what waited for it goes out. */
    async setSecret(id: string, secret: string | undefined, userName: string): Promise<SubscriptionWithSecret> {
      return act(userName, "webhook.secret", redactUrl(require(id).url), () => {
        const changed = subscriptions.setSecret(id, secret);
        if (changed === null) throw noSuchWebhook(id);
        return changed;
      });
    },

    async setPaused(paused: boolean, userName: string): Promise<void> {
      const action = paused ? "webhooks.pause" : "webhooks.resume";
      // Both writes are of one turn and share their commit.
      await Promise.all([dispatcher.setPaused(paused), act(userName, action, "", () => true)]);
    },

    async test(id: string, userName: string): Promise<WebhookTestResult> {
      const url = redactUrl(require(id).url);
      await act(userName, "webhook.test", url, () => true);
      const result = await webhooks.test(id);
      if (result === null) throw noSuchWebhook(id);
      const { status, error, ms, answer } = result;
      if (status === null) return { sent: false, error: error ?? "unreachable" };
      return { sent: true, status, durationMs: ms, answer: answer ?? "" };
    },

    async page(
      { webhookId: subscriptionId, state, event, search }: DeliveryQuery,
      below: number | null,
      limit: number,
      signal: AbortSignal,
    ) {
      const filter = { subscriptionId, state, event, search: search === "" ? undefined : search };
      const page = { ...filter, below: below ?? undefined, limit };
      if (!isDeliverySearch(filter)) {
        return { deliveries: deliveries.list(page).map(presentDelivery), ...deliveries.count(filter) };
      }
      const { ids, ...total } = await jobs.query(findWebhookDeliveriesJob, { file, page }, { signal });
      const found = ids.flatMap((id) => deliveries.get(id) ?? []);
      return { deliveries: found.map(presentDelivery), ...total };
    },

    delivery(id: number): DeliveryDetail {
      const delivery = requireDelivery(id);
      const body = deliveries.body(id) ?? "";
      const secret = subscriptions.find(delivery.subscriptionId)?.secret ?? null;
      const attempts = deliveries.attempts(id).map(({ attempt, at, status, error, ms, answer }) => ({
        attempt,
        at: isoTime(at),
        status,
        error,
        durationMs: ms,
        headers: deliveryHeaders({ id, event: delivery.event, secret, at, body: Buffer.from(body) }),
        answer,
      }));
      return { delivery: presentDelivery(delivery), body, attempts };
    },

    async replay(id: number, userName: string): Promise<OperatorDelivery> {
      const { subject } = requireDelivery(id);
      await act(userName, "delivery.replay", subject, (tx) => {
        if (deliveries.replay(id, tx.now)) return true;
        throw new HubError("VALIDATION_ERROR", `delivery ${id} is under way`);
      });
      return presentDelivery(requireDelivery(id));
    },

    async replayDead(filter: { webhookId?: string | undefined; since?: string | undefined }, userName: string) {
      const { webhookId: subscriptionId, since } = filter;
      const dead = { subscriptionId, since: since === undefined ? undefined : Date.parse(since) };
      const replayed = await webhooks.replayDead(dead, (tx) =>
        noteDeed(tx, userName, "deliveries.replay", subscriptionId ?? "all"),
      );
      counted = null;
      return replayed;
    },

    dead: (): DeadLetters => ({
      groups: deliveries.deadGroups().map(({ subscriptionId, reason, status, count, oldestAt, newestAt }) => ({
        webhookId: subscriptionId,
        url: urlOf(subscriptionId),
        reason,
        status,
        count,
        oldestAt: isoTime(oldestAt),
        newestAt: isoTime(newestAt),
      })),
    }),

    /** Every try to tell somebody of an order. */
    attemptsOf: (posReference: string): WebhookAttempt[] =>
      deliveries.ofSubject(posReference).flatMap(({ id, subscriptionId, event }) =>
        deliveries.attempts(id).map(({ attempt, at, status, error, ms }) => ({
          at: isoTime(at),
          deliveryId: id,
          url: urlOf(subscriptionId),
          event,
          attempt,
          status,
          error,
          durationMs: ms,
        })),
      ),
  };
}

function noSuchWebhook(id: string): HubError {
  return new HubError("NOT_FOUND", `there is no webhook ${id}`);
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
