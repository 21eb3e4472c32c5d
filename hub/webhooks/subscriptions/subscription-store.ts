import { webhookLimits, type WebhookEvent, type WebhookSubscription } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { SecretCipher } from "../../db/files/secret-cipher.ts";
import type { Db } from "../../db/open.ts";
import { HubError, requireFound } from "../../platform/errors.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import { hideCredentials } from "../../platform/url-credentials.ts";
import { isoTime, sqlTime, type World } from "../../platform/world.ts";
import { pausedUntil } from "./pauses.ts";
import { createHealthStore } from "./subscription-health.ts";
import {
  createSubscriptionRows,
  type GatheredRange,
  type Subscription,
  type SubscriptionWithSecret,
} from "./subscription-rows.ts";

/** Whether deliveries can be sent: the subscription is enabled and has a secret to sign with. */
export function canDeliver(subscription: Subscription | null): subscription is SubscriptionWithSecret {
  return subscription !== null && subscription.isEnabled && subscription.secret !== null;
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;

/** Webhook subscriptions. Those not deleted are also kept in memory, because each change looks them up. */
export function createSubscriptionStore(deps: { world: World; db: Db; cipher: SecretCipher; changes: ChangeLog }) {
  const { world, db, cipher, changes } = deps;
  const rows = createSubscriptionRows(db, cipher);
  const health = createHealthStore(db, changes);
  /** Null after a failed write, and read again only on the next use: the file may be unreadable at that moment. */
  let cache: Map<string, Subscription> | null = null;
  const locked = [...live().values()].filter(({ secret }) => secret === null).map(({ id }) => id);
  if (locked.length > 0) world.log.warn({ webhooks: locked }, "the key for the secrets of these webhooks is not here");
  /** The enabled subscriptions per event, since subscriptions last changed. */
  const subscribersByEvent = new Map<WebhookEvent, readonly Subscription[]>();
  changes.addUndoListener(() => {
    cache = null;
    subscribersByEvent.clear();
  });

  function live(): Map<string, Subscription> {
    cache ??= new Map(rows.list().map((row) => [row.id, row]));
    return cache;
  }

  function keepLive(subscription: Subscription): void {
    live().set(subscription.id, subscription);
    subscribersByEvent.clear();
  }

  function newSecret(): string {
    return `whsec_${world.random.bytes(32).toString("base64url")}`;
  }

  function requireFreePlace(createdBy: string): void {
    const { perCreator, total } = webhookLimits;
    if (live().size >= total) throw new HubError("LIMIT_REACHED", `this hub has ${total} webhooks, the maximum`);
    const own = [...live().values()].filter((each) => each.createdBy === createdBy).length;
    if (own < perCreator) return;
    const owner = createdBy === "hub" ? "its managers have" : "this key has";
    throw new HubError("LIMIT_REACHED", `${owner} ${perCreator} webhooks, the maximum`);
  }

  /** Returns a subscription. Throws NOT_FOUND. */
  const require = (id: string): Subscription => requireFound(live().get(id), `there is no webhook ${id}`);

  return {
    ...health,
    /** All subscriptions that are not deleted, oldest first. */
    list: (): Subscription[] => [...live().values()],
    get: (id: string): Subscription | null => live().get(id) ?? null,
    /** Also finds a deleted subscription while deliveries refer to it. */
    find: (id: string): Subscription | null => live().get(id) ?? rows.find(id),
    /** Ids of deleted subscriptions that deliveries still refer to. */
    listDeletedIds: rows.listDeletedIds,
    /** Returns the enabled subscriptions to an event, cached until subscriptions change. */
    listSubscribers(event: WebhookEvent): readonly Subscription[] {
      const cached = subscribersByEvent.get(event);
      if (cached !== undefined) return cached;
      const found = [...live().values()].filter(
        ({ isEnabled, events }) => isEnabled && (events[0] === "*" || events.includes(event)),
      );
      subscribersByEvent.set(event, found);
      return found;
    },

    /** Creates a subscription with its own secret. No events, or `*` among them, mean all. Throws LIMIT_REACHED. */
    create(
      tx: Tx,
      input: { url: string; events?: readonly string[] | undefined; createdBy: string },
    ): SubscriptionWithSecret {
      requireFreePlace(input.createdBy);
      const id = `ws_${world.random.bytes(9).toString("hex")}`;
      const subscription = rows.insert({ ...input, id, secret: newSecret(), createdAt: tx.now });
      keepLive(subscription);
      return subscription;
    },

    require,
    setSecret(id: string, secret: string = newSecret()): SubscriptionWithSecret {
      const subscription = { ...require(id), secret };
      rows.setSecret(id, secret);
      keepLive(subscription);
      return subscription;
    },

    /** Enables or disables a subscription. The dispatcher parks the deliveries of a disabled one. */
    setEnabled(id: string, isEnabled: boolean): void {
      keepLive({ ...require(id), isEnabled });
      rows.setEnabled(id, isEnabled);
    },

    /** Marks a subscription as deleted. Its row stays until its deliveries are pruned. */
    remove(now: number, id: string): void {
      rows.markDeleted(id, now);
      live().delete(id);
      subscribersByEvent.clear();
    },

    /** Sets the range of gathered events. The subscribed events stay the same. */
    setGathered(id: string, gathered: GatheredRange | null): void {
      const found = live().get(id);
      if (found === undefined) return;
      rows.setGathered(id, gathered);
      keepLive({ ...found, gathered });
    },

    /** The enabled subscriptions whose receivers do not answer. */
    listPaused: (now: number): Subscription[] =>
      [...live().values()].filter(({ id, isEnabled }) => isEnabled && pausedUntil(health.health(id), now) !== null),

    forgetDeleted: rows.forgetDeleted,
  };
}

/**
 * Returns a subscription without its secret. `viewer` is the key that views it, null for a manager. Only the key that created
 * it sees the query of the URL; user and password are never shown. `paused` is when the receiver's pause ends.
 */
export function presentSubscription(
  subscription: Subscription,
  viewer: string | null,
  listPaused: number | null,
): WebhookSubscription {
  const { id, events, isEnabled, createdBy, createdAt, secret } = subscription;
  const url = viewer === createdBy ? hideCredentials(subscription.url) : redactUrl(subscription.url);
  return {
    id,
    url,
    events: [...events],
    enabled: isEnabled,
    createdBy,
    createdAt: sqlTime(createdAt),
    ...(secret === null && { needsSecret: true }),
    ...(isEnabled && listPaused !== null && { pausedUntil: isoTime(listPaused) }),
  };
}
