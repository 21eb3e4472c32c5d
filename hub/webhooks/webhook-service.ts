import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import { HubError } from "../platform/errors.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import type { World } from "../platform/world.ts";
import type { DeadFilter, DeliveryStore } from "./delivery-store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ping } from "./ping.ts";
import type { Exchange, Sender } from "./sender.ts";
import type { Subscription, SubscriptionStore, SubscriptionWithSecret } from "./subscription-store.ts";

/** What came of a test: a status, or why there is none. */
type TestResult = Pick<Exchange, "status" | "error" | "ms" | "answer">;

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Everything that integrators and the operator do with webhooks; each is durable when it resolves. */
export function createWebhookService(deps: {
  world: World;
  changes: ChangeLog;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  dispatcher: Dispatcher;
  sender: Sender;
  /** Writes down who made, changed or deleted a subscription, in the write that does it. */
  note: (tx: Tx, by: KeyHolder, action: `webhook.${string}`, subscription: Subscription) => void;
}) {
  const { world, changes, subscriptions, deliveries, dispatcher, sender, note } = deps;

  async function writeAndWake<T extends boolean | number>(work: (tx: Tx) => T): Promise<T> {
    const done = await changes.write((tx) => work(tx) as boolean | number);
    dispatcher.wake();
    return done as T;
  }

  return {
    async list(): Promise<Subscription[]> {
      await changes.settled();
      return subscriptions.list();
    },
    create: (
      asked: { url: string; events?: readonly string[] | undefined },
      by: KeyHolder,
    ): Promise<SubscriptionWithSecret> =>
      changes.write((tx) => {
        const subscription = subscriptions.create(tx, { ...asked, createdBy: by.keyId });
        note(tx, by, "webhook.create", subscription);
        return subscription;
      }),
    /** False when there is no such subscription. What waits for it is parked. Any key with the scope may do it. */
    remove: (id: string, by: KeyHolder): Promise<boolean> =>
      writeAndWake((tx) => {
        const subscription = subscriptions.get(id);
        if (subscription === null) return false;
        note(tx, by, "webhook.delete", subscription);
        return subscriptions.remove(tx.now, id);
      }),
    /** False when there is no such subscription. Disabling parks what waits; enabling lets what was parked go. */
    async setEnabled(id: string, isEnabled: boolean): Promise<boolean> {
      const isKnown = await changes.write((tx): boolean => {
        const changed = subscriptions.setEnabled(id, isEnabled);
        if (changed && isEnabled) deliveries.unpark(id, tx.now);
        return changed;
      });
      // The rest of what was parked follows.
      dispatcher.unpark();
      return isKnown;
    },
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
    /**
     * Signs from now on with the given secret, or with a new one; what waited for it goes out. Null when there is no such
     * subscription, FORBIDDEN to any key but the one that made it.
     */
    async setSecret(id: string, secret: string | undefined, by: KeyHolder): Promise<SubscriptionWithSecret | null> {
      const changed = await changes.write((tx) => {
        const subscription = subscriptions.get(id);
        if (subscription === null) return null;
        if (subscription.createdBy !== by.keyId) {
          throw new HubError("FORBIDDEN", "only the key that made this webhook, or a manager, may give it a secret");
        }
        note(tx, by, "webhook.secret", subscription);
        return subscriptions.setSecret(id, secret);
      });
      dispatcher.wake();
      return changed;
    },
    /** Sends a delivery again with all its attempts; false when it is unknown or under way. */
    replay: (deliveryId: number): Promise<boolean> => writeAndWake(({ now }) => deliveries.replay(deliveryId, now)),
    /** Sends dead-lettered deliveries again, slice after slice; `note` writes it down with the first. Says how many. */
    async replayDead(filter: DeadFilter, note: (tx: Tx) => void = () => {}): Promise<number> {
      let isNoted = false;
      const replayed = await writeInSlices(changes, (tx) => {
        if (!isNoted) note(tx);
        isNoted = true;
        return deliveries.replayDead(filter, tx.now);
      });
      dispatcher.wake();
      return replayed;
    },
    isPaused: dispatcher.isPaused,
    setPaused: dispatcher.setPaused,
  };
}
