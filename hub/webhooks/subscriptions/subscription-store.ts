import { webhookLimits, type WebhookEvent, type WebhookSubscription } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { SecretCipher } from "../../db/files/secret-cipher.ts";
import type { Db } from "../../db/open.ts";
import { HubError } from "../../platform/errors.ts";
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

/** Whether deliveries can leave: it is enabled, and there is a secret to sign them with. */
export function canDeliver(subscription: Subscription | null): subscription is SubscriptionWithSecret {
  return subscription !== null && subscription.isEnabled && subscription.secret !== null;
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;

/** Webhook subscriptions. The live ones are also kept in memory, because each change looks them up. */
export function createSubscriptionStore(deps: { world: World; db: Db; cipher: SecretCipher; changes: ChangeLog }) {
  const { world, db, cipher, changes } = deps;
  const rows = createSubscriptionRows(db, cipher);
  const health = createHealthStore(db, changes);
  /** Null after a failed write: read again when it is needed, for just then the file may not be readable. */
  let kept: Map<string, Subscription> | null = null;
  const locked = [...live().values()].filter(({ secret }) => secret === null).map(({ id }) => id);
  if (locked.length > 0) world.log.warn({ webhooks: locked }, "the key for the secrets of these webhooks is not here");
  /** The enabled subscriptions that want an event, for the events that occurred since subscriptions last changed. */
  const wantingByEvent = new Map<WebhookEvent, readonly Subscription[]>();
  changes.addUndoListener(() => {
    kept = null;
    wantingByEvent.clear();
  });

  function live(): Map<string, Subscription> {
    kept ??= new Map(rows.all().map((row) => [row.id, row]));
    return kept;
  }

  function keepLive(subscription: Subscription): void {
    live().set(subscription.id, subscription);
    wantingByEvent.clear();
  }

  function newSecret(): string {
    return `whsec_${world.random.bytes(32).toString("base64url")}`;
  }

  function requireFreePlace(createdBy: string): void {
    const { perCreator, total } = webhookLimits;
    if (live().size >= total) throw new HubError("LIMIT_REACHED", `this hub has ${total} webhooks, the most it takes`);
    const own = [...live().values()].filter((each) => each.createdBy === createdBy).length;
    if (own < perCreator) return;
    const owner = createdBy === "hub" ? "its managers have" : "this key has";
    throw new HubError("LIMIT_REACHED", `${owner} ${perCreator} webhooks, the most the hub takes`);
  }

  /** NOT_FOUND where there is no such subscription. */
  function require(id: string): Subscription {
    const known = live().get(id);
    if (known === undefined) throw new HubError("NOT_FOUND", `there is no webhook ${id}`);
    return known;
  }

  return {
    ...health,
    /** Every subscription that is not deleted, oldest first. */
    list: (): Subscription[] => [...live().values()],
    get: (id: string): Subscription | null => live().get(id) ?? null,
    /** A subscription, also one that is deleted while deliveries still name it. */
    find: (id: string): Subscription | null => live().get(id) ?? rows.find(id),
    /** Ids of deleted subscriptions that deliveries still name. */
    deletedIds: rows.deletedIds,
    /** The enabled subscriptions that want an event, kept until subscriptions change. */
    wanting(event: WebhookEvent): readonly Subscription[] {
      const known = wantingByEvent.get(event);
      if (known !== undefined) return known;
      const found = [...live().values()].filter(
        ({ isEnabled, events }) => isEnabled && (events[0] === "*" || events.includes(event)),
      );
      wantingByEvent.set(event, found);
      return found;
    },

    /** Creates a subscription with a secret of its own. No events, or `*` among them, mean all. LIMIT_REACHED when full. */
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

    /** What waits for a disabled one is parked by the dispatcher. */
    setEnabled(id: string, isEnabled: boolean): void {
      keepLive({ ...require(id), isEnabled });
      rows.setEnabled(id, isEnabled);
    },

    /** The row stays until its deliveries are pruned. */
    remove(now: number, id: string): void {
      rows.markDeleted(id, now);
      live().delete(id);
      wantingByEvent.clear();
    },

    /** Which events wait without a delivery each. It wants the same events as before. */
    setGathered(id: string, gathered: GatheredRange | null): void {
      const known = live().get(id);
      if (known === undefined) return;
      rows.setGathered(id, gathered);
      keepLive({ ...known, gathered });
    },

    /** The enabled subscriptions whose receivers do not answer. */
    paused: (now: number): Subscription[] =>
      [...live().values()].filter(({ id, isEnabled }) => isEnabled && pausedUntil(health.health(id), now) !== null),

    forgetDeleted: rows.forgetDeleted,
  };
}

/**
 * A subscription without its secret. `viewer` is the key that sees it, null for a manager; only the key that created it
 * gets the query of the address, nobody user and password. `paused` is until when its receiver is left alone.
 */
export function presentSubscription(
  subscription: Subscription,
  viewer: string | null,
  paused: number | null,
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
    ...(isEnabled && paused !== null && { pausedUntil: isoTime(paused) }),
  };
}
