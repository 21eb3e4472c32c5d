import type { AuditAction } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import { leadsToHub } from "./sending/address-guard.ts";
import type { DeadFilter } from "./deliveries/delivery-states.ts";
import type { Dispatcher } from "./sending/dispatcher.ts";
import { unparkDeliveries } from "./sending/parking.ts";
import { pausedUntil } from "./subscriptions/pauses.ts";
import type { Sender } from "./sending/sender.ts";
import type { Subscription, SubscriptionWithSecret } from "./subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./sending/webhook-deps.ts";
import { createWebhookTests } from "./webhook-tests.ts";

/** Who changes webhooks: an API key, or a manager at the screens. */
export type Requester = KeyHolder | { userName: string };

export type WebhookService = ReturnType<typeof createWebhookService>;

/**
 * Everything that keys and managers do with webhooks. Each change is durable and audited when its promise resolves. Throws
 * NOT_FOUND for an unknown webhook.
 */
export function createWebhookService(
  deps: WebhookDeps & {
    dispatcher: Dispatcher;
    sender: Sender;
    /** The hub's own port, which webhooks must not call. */
    port: () => number;
    /** Audits a change in its transaction. `target` is the subscription, an order reference or another text. */
    note: (tx: Tx, by: Requester, action: AuditAction, target: Subscription | string) => void;
  },
) {
  const { world, changes, subscriptions, deliveries, gathered, dispatcher, port, note } = deps;

  /** Changes a subscription in one transaction. */
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

  return {
    /** When the receiver's pause ends, ms since 1970; null if it is not paused. */
    pausedUntil: ({ id }: Subscription): number | null => pausedUntil(subscriptions.health(id), world.clock.now()),

    list: (): Promise<Subscription[]> => changes.read(subscriptions.list),

    /** Creates a subscription. Throws VALIDATION_ERROR for the hub's own address, LIMIT_REACHED if there are too many. */
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

    /** Deletes a subscription and parks its deliveries. Any key with the scope may do this. */
    remove: (id: string, by: Requester): Promise<void> =>
      change(id, by, "webhook.delete", (tx) => subscriptions.remove(tx.now, id)),

    /** Disabling parks waiting deliveries; enabling sends the parked ones. */
    async setEnabled(id: string, isEnabled: boolean, by: Requester): Promise<void> {
      const action = isEnabled ? "webhook.enable" : "webhook.disable";
      await change(id, by, action, (_, { gathered: range }) => {
        subscriptions.resume(id);
        // Later events are not for a disabled subscription.
        if (!isEnabled) subscriptions.setGathered(id, gathered.closed(range));
        subscriptions.setEnabled(id, isEnabled);
      });
      await unparkDeliveries(deps, id);
      dispatcher.wake();
    },

    /**
     * Sets the secret that signs deliveries from now on (a new one if undefined), and sends those that waited for it. Throws
     * FORBIDDEN for any key except the one that created the webhook.
     */
    setSecret: (id: string, secret: string | undefined, by: Requester): Promise<SubscriptionWithSecret> =>
      change(id, by, "webhook.secret", (_, subscription) => {
        if ("keyId" in by && subscription.createdBy !== by.keyId) {
          throw new HubError("FORBIDDEN", "only the key that created this webhook, or a manager, may set its secret");
        }
        return subscriptions.setSecret(id, secret);
      }),

    ...createWebhookTests(deps),

    /** Sends a delivery again with all its attempts. Resolves with false if it is unknown or under way. */
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

    /** Sends dead-lettered deliveries again, in slices. Resolves with how many. */
    async replayDead(filter: DeadFilter, by: Requester): Promise<number> {
      let isRecorded = false;
      const replayed = await writeInSlices(changes, (tx) => {
        if (!isRecorded) note(tx, by, "deliveries.replay", filter.subscriptionId ?? "all");
        isRecorded = true;
        for (const { id } of subscriptions.list()) {
          if (filter.subscriptionId === undefined || filter.subscriptionId === id) subscriptions.resume(id);
        }
        return deliveries.replayDead(filter, tx.now);
      });
      dispatcher.wake();
      return replayed;
    },

    isPaused: dispatcher.isPaused,
    /** Pauses or resumes all deliveries; survives a restart. */
    setPaused: (paused: boolean, by: Requester): Promise<void> =>
      dispatcher.setPaused(paused, (tx) => note(tx, by, paused ? "webhooks.pause" : "webhooks.resume", "")),
  };
}
