import type { Tx } from "../changes/change.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import type { DeadFilter } from "./delivery-store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { unparkDeliveries } from "./parking.ts";
import type { Exchange, Sender } from "./sender.ts";
import type { Subscription, SubscriptionWithSecret } from "./subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Who changes webhooks: an API key, or a manager at the screens. */
export type Requester = KeyHolder | { userName: string };

/** The answer to a test: a status, or why there is none. */
type TestResult = Pick<Exchange, "status" | "error" | "ms" | "answer">;

export type WebhookService = ReturnType<typeof createWebhookService>;

/** All that keys and managers do with webhooks. Each change is durable and audited when its promise resolves. */
export function createWebhookService(
  deps: WebhookDeps & {
    dispatcher: Dispatcher;
    sender: Sender;
    /** Audits a change, in the write that makes it. `target` is the subscription, an order reference, or what fits. */
    note: (tx: Tx, by: Requester, action: string, target: Subscription | string) => void;
  },
) {
  const { world, changes, subscriptions, deliveries, dispatcher, sender, note } = deps;

  /** Changes a subscription in one write; null when there is none. */
  async function change<T>(
    id: string,
    by: Requester,
    action: string,
    work: (tx: Tx, subscription: Subscription) => T,
  ): Promise<T | null> {
    const { result } = await changes.write((tx) => {
      const subscription = subscriptions.get(id);
      if (subscription === null) return { result: null };
      note(tx, by, action, subscription);
      return { result: work(tx, subscription) };
    });
    dispatcher.wake();
    return result;
  }

  return {
    async list(): Promise<Subscription[]> {
      await changes.settled();
      return subscriptions.list();
    },

    create: (
      input: { url: string; events?: readonly string[] | undefined },
      by: Requester,
    ): Promise<SubscriptionWithSecret> =>
      changes.write((tx) => {
        const createdBy = "keyId" in by ? by.keyId : "hub";
        const subscription = subscriptions.create(tx, { ...input, createdBy });
        note(tx, by, "webhook.create", subscription);
        return subscription;
      }),

    /** False when there is no such subscription. What waits for it is parked. Any key with the scope may do it. */
    remove: async (id: string, by: Requester): Promise<boolean> =>
      (await change(id, by, "webhook.delete", (tx) => subscriptions.remove(tx.now, id))) === true,

    /** False when there is no such subscription. Disabling parks what waits; enabling sends what was parked. */
    async setEnabled(id: string, isEnabled: boolean, by: Requester): Promise<boolean> {
      const action = isEnabled ? "webhook.enable" : "webhook.disable";
      const isKnown = await change(id, by, action, () => subscriptions.setEnabled(id, isEnabled));
      await unparkDeliveries(deps, id);
      dispatcher.wake();
      return isKnown === true;
    },

    /**
     * Signs deliveries with the given secret from now on, or with a new one; what waited for it is sent. Null when there
     * is no such subscription, FORBIDDEN to any key but the one that created it.
     */
    setSecret: (id: string, secret: string | undefined, by: Requester): Promise<SubscriptionWithSecret | null> =>
      change(id, by, "webhook.secret", (_, subscription) => {
        if ("keyId" in by && subscription.createdBy !== by.keyId) {
          throw new HubError("FORBIDDEN", "only the key that made this webhook, or a manager, may give it a secret");
        }
        return subscriptions.setSecret(id, secret);
      }),

    /** One signed ping; null when there is no such subscription. */
    async test(id: string): Promise<TestResult | null> {
      const subscription = subscriptions.get(id);
      if (subscription === null) return null;
      const { secret } = subscription;
      if (secret === null) return { status: null, error: "needs_secret", ms: 0, answer: null };
      const exchange = await ping(world, sender, { ...subscription, secret });
      const { status, error, detail } = exchange;
      if (error !== null) world.log.info({ webhook: id, status, error, detail }, "a webhook test was not answered");
      return exchange;
    },

    /** Sends a delivery again, with all its attempts; false when it is unknown or under way. */
    async replay(deliveryId: number, by: Requester): Promise<boolean> {
      const isDue = await changes.write((tx): boolean => {
        if (!deliveries.replay(deliveryId, tx.now)) return false;
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

/** Sends one signed ping; nothing is queued or retried. */
function ping(world: World, sender: Sender, subscription: SubscriptionWithSecret): Promise<Exchange> {
  const at = world.clock.now();
  const event = "webhook.test";
  const data = { subscriptionId: subscription.id };
  const body = Buffer.from(JSON.stringify({ id: "test", event, timestamp: isoTime(at), data }));
  const headers = deliveryHeaders({ id: "test", event, secret: subscription.secret, at, body });
  return sender.post({ url: subscription.url, headers, body, at, timeoutMs: TIMEOUT_MS });
}
