import { logEvent } from "../platform/log-event.ts";
import type { AuditAction, WebhookEvent } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { leadsToHub } from "./address-guard.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import type { DeadFilter } from "./delivery-store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { unparkDeliveries } from "./parking.ts";
import { pausedUntil } from "./pauses.ts";
import { sampleData } from "./sample-events.ts";
import type { Exchange, Sender } from "./sender.ts";
import type { Subscription, SubscriptionWithSecret } from "./subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Who changes webhooks: an API key, or a manager at the screens. */
export type Requester = KeyHolder | { userName: string };

/** The answer to a test: a status, or why there is none; and what was sent, null where nothing could be signed. */
type TestResult = Pick<Exchange, "status" | "error" | "ms" | "answer"> & {
  request: ReturnType<typeof signedTest> | null;
};

export type WebhookService = ReturnType<typeof createWebhookService>;

/**
 * All that keys and managers do with webhooks. Each change is durable and audited when its promise resolves; one of an
 * unknown webhook is NOT_FOUND.
 */
export function createWebhookService(
  deps: WebhookDeps & {
    dispatcher: Dispatcher;
    sender: Sender;
    /** The port that the hub listens on: webhooks must not call it. */
    port: () => number;
    /** Audits a change, in the write that makes it. `target` is the subscription, an order reference, or what fits. */
    note: (tx: Tx, by: Requester, action: AuditAction, target: Subscription | string) => void;
  },
) {
  const { world, changes, subscriptions, deliveries, gathered, dispatcher, sender, port, note } = deps;

  /** Changes a subscription in one write. */
  async function change<T>(
    id: string,
    by: Requester,
    action: AuditAction,
    work: (tx: Tx, subscription: Subscription) => T,
  ): Promise<T> {
    const { result } = await changes.write((tx) => {
      const subscription = subscriptions.require(id);
      note(tx, by, action, subscription);
      return { result: work(tx, subscription) };
    });
    dispatcher.wake();
    return result;
  }

  /** A receiver that is paused is tried again at once. */
  async function resume(id: string): Promise<void> {
    if (subscriptions.health(id).consecutiveFailures === 0) return;
    await changes.write((tx) => {
      subscriptions.resume(id);
      tx.notify(["webhooks"]);
    });
    dispatcher.wake();
  }

  return {
    /** Until when its receiver is left alone, ms since 1970; null for one that answers. */
    pausedUntil: ({ id }: Subscription): number | null => pausedUntil(subscriptions.health(id), world.clock.now()),

    async list(): Promise<Subscription[]> {
      await changes.settled();
      return subscriptions.list();
    },

    /** VALIDATION_ERROR for an address of the hub itself, LIMIT_REACHED when there are too many. */
    async create(
      input: { url: string; events?: readonly string[] | undefined },
      by: Requester,
    ): Promise<SubscriptionWithSecret> {
      if (await leadsToHub(world, new URL(input.url), port())) {
        throw new HubError("VALIDATION_ERROR", "url: this is the hub itself; webhooks are not sent to it");
      }
      return changes.write((tx) => {
        const createdBy = "keyId" in by ? by.keyId : "hub";
        const subscription = subscriptions.create(tx, { ...input, createdBy });
        note(tx, by, "webhook.create", subscription);
        return subscription;
      });
    },

    /** What waits for it is parked. Any key with the scope may do it. */
    remove: (id: string, by: Requester): Promise<void> =>
      change(id, by, "webhook.delete", (tx) => subscriptions.remove(tx.now, id)),

    /** Disabling parks what waits; enabling sends what was parked. */
    async setEnabled(id: string, isEnabled: boolean, by: Requester): Promise<void> {
      const action = isEnabled ? "webhook.enable" : "webhook.disable";
      await change(id, by, action, (_, { gathered: range }) => {
        subscriptions.resume(id);
        // Events from now on are not for it.
        if (!isEnabled) subscriptions.setGathered(id, gathered.closed(range));
        subscriptions.setEnabled(id, isEnabled);
      });
      await unparkDeliveries(deps, id);
      dispatcher.wake();
    },

    /**
     * Signs deliveries with the given secret from now on, or with a new one; what waited for it is sent. FORBIDDEN to any
     * key but the one that created it.
     */
    setSecret: (id: string, secret: string | undefined, by: Requester): Promise<SubscriptionWithSecret> =>
      change(id, by, "webhook.secret", (_, subscription) => {
        if ("keyId" in by && subscription.createdBy !== by.keyId) {
          throw new HubError("FORBIDDEN", "only the key that made this webhook, or a manager, may give it a secret");
        }
        return subscriptions.setSecret(id, secret);
      }),

    /** One signed ping, or a sample of an event. Nothing is queued or retried. */
    async test(id: string, event?: WebhookEvent): Promise<TestResult> {
      const { secret, url } = subscriptions.require(id);
      if (secret === null) return { status: null, error: "needs_secret", ms: 0, answer: null, request: null };
      const at = world.clock.now();
      const request = signedTest({ subscriptionId: id, secret, event, at });
      const exchange = await sender.post({ url, ...request, at, timeoutMs: TIMEOUT_MS });
      const { status, error, detail } = exchange;
      if (status !== null && status >= 200 && status < 300) await resume(id);
      if (error !== null)
        world.log.info(
          logEvent("webhook_test_unanswered", { webhook: id, status, error, detail }),
          "a webhook test was not answered",
        );
      return { ...exchange, request };
    },

    /** Sends a delivery again, with all its attempts; false when it is unknown or under way. */
    async replay(deliveryId: number, by: Requester): Promise<boolean> {
      const isDue = await changes.write((tx): boolean => {
        if (!deliveries.replay(deliveryId, tx.now)) return false;
        subscriptions.resume(deliveries.get(deliveryId)?.subscriptionId ?? "");
        note(tx, by, "delivery.replay", deliveries.get(deliveryId)?.subject ?? "");
        return true;
      });
      dispatcher.wake();
      return isDue;
    },

    /** Sends dead-lettered deliveries again, in slices; resolves with how many. */
    async replayDead(filter: DeadFilter, by: Requester): Promise<number> {
      let isNoted = false;
      const replayed = await writeInSlices(changes, (tx) => {
        if (!isNoted) note(tx, by, "deliveries.replay", filter.subscriptionId ?? "all");
        isNoted = true;
        for (const { id } of subscriptions.list()) {
          if (filter.subscriptionId === undefined || filter.subscriptionId === id) subscriptions.resume(id);
        }
        return deliveries.replayDead(filter, tx.now);
      });
      dispatcher.wake();
      return replayed;
    },

    isPaused: dispatcher.isPaused,
    /** Holds all deliveries back, or sends them again; survives a restart. */
    setPaused: (paused: boolean, by: Requester): Promise<void> =>
      dispatcher.setPaused(paused, (tx) => note(tx, by, paused ? "webhooks.pause" : "webhooks.resume", "")),
  };
}

const TIMEOUT_MS = 5_000;

/** The headers and the body of a test: `webhook.test`, or a sample of an event. The id `test` marks both. */
function signedTest(test: { subscriptionId: string; secret: string; event: WebhookEvent | undefined; at: number }) {
  const { subscriptionId, secret, event = "webhook.test", at } = test;
  const data = event === "webhook.test" ? { subscriptionId } : sampleData(event, at);
  const mark = event === "webhook.test" ? {} : { test: true };
  const body = Buffer.from(JSON.stringify({ id: "test", event, timestamp: isoTime(at), data, ...mark }));
  return { headers: deliveryHeaders({ id: "test", event, secret, at, body }), body };
}
