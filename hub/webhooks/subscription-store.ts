import { webhookLimits, type WebhookError, type WebhookEvent, type WebhookSubscription } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import type { SecretCipher } from "../db/files/secret-cipher.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { HubError } from "../platform/errors.ts";
import { redactUrl } from "../platform/redact-url.ts";
import { hideCredentials, splitCredentials, withCredentials } from "../platform/url-credentials.ts";
import { isoTime, sqlTime, type World } from "../platform/world.ts";
import { pausedUntil, type SubscriptionHealth } from "./pauses.ts";

/** A subscription with what is needed to deliver to it. Times are ms since 1970. */
export interface Subscription {
  id: string;
  /** With user and password, where it has them and they can be decrypted. */
  url: string;
  events: readonly (WebhookEvent | "*")[];
  isEnabled: boolean;
  createdBy: string;
  createdAt: number;
  /** The HMAC key; never shown again and never logged. Null while the key that encrypted it is not here. */
  secret: string | null;
  /** The events that wait without a delivery each, because the receiver is behind or does not answer; null for none. */
  gathered: GatheredRange | null;
}

/** A subscription that deliveries can be signed for. */
export type SubscriptionWithSecret = Subscription & { secret: string };

/** Whether deliveries can leave: it is enabled, and there is a secret to sign them with. */
export function canDeliver(subscription: Subscription | null): subscription is SubscriptionWithSecret {
  return subscription !== null && subscription.isEnabled && subscription.secret !== null;
}

/** The first and, where no later one belongs to it, the last of the events that wait for a subscription. */
export interface GatheredRange {
  from: number;
  to: number | null;
}

interface Row extends Omit<Subscription, "events" | "isEnabled" | "secret" | "gathered"> {
  events: string;
  isEnabled: number;
  secret: string;
  credentials: string | null;
  gatheredFrom: number | null;
  gatheredTo: number | null;
}

interface HealthRow {
  consecutiveFailures: number;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastFailureStatus: number | null;
  lastFailureError: WebhookError | null;
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;

/** Webhook subscriptions. The live ones are also kept in memory, because each change looks them up. */
export function createSubscriptionStore(deps: { world: World; db: Db; cipher: SecretCipher; changes: ChangeLog }) {
  const { world, db, cipher, changes } = deps;
  const select = `
    SELECT id, url, events, is_enabled AS isEnabled, created_by AS createdBy, created_at AS createdAt, secret, credentials,
      gathered_from AS gatheredFrom, gathered_to AS gatheredTo
    FROM webhook_subscriptions`;
  const all = db.prepare<[], Row>(`${select} WHERE deleted_at IS NULL ORDER BY created_at, id`);
  const findRow = db.prepare<[string], Row>(`${select} WHERE id = ?`);
  const insert = db.prepare<Row>(`
    INSERT INTO webhook_subscriptions (id, url, events, is_enabled, created_by, created_at, secret, credentials)
    VALUES (@id, @url, @events, @isEnabled, @createdBy, @createdAt, @secret, @credentials)`);
  const setEnabled = db.prepare<[number, string]>(
    "UPDATE webhook_subscriptions SET is_enabled = ? WHERE id = ? AND deleted_at IS NULL",
  );
  const setSecret = db.prepare<[string, string]>(
    "UPDATE webhook_subscriptions SET secret = ? WHERE id = ? AND deleted_at IS NULL",
  );
  const markDeleted = db.prepare<[number, string]>(
    `UPDATE webhook_subscriptions SET deleted_at = ?, is_enabled = 0, gathered_from = NULL, gathered_to = NULL
     WHERE id = ? AND deleted_at IS NULL`,
  );
  const setGathered = db.prepare<{ id: string; from: number | null; to: number | null }>(
    "UPDATE webhook_subscriptions SET gathered_from = @from, gathered_to = @to WHERE id = @id",
  );
  const resumed = db.prepare<[string]>("UPDATE webhook_subscriptions SET consecutive_failures = 0 WHERE id = ?");
  const health = db.prepare<[string], HealthRow>(`
    SELECT consecutive_failures AS consecutiveFailures, last_success_at AS lastSuccessAt,
      last_failure_at AS lastFailureAt, last_failure_status AS lastFailureStatus, last_failure_error AS lastFailureError
    FROM webhook_subscriptions WHERE id = ?`);
  const succeeded = db.prepare<[number, string]>(
    "UPDATE webhook_subscriptions SET consecutive_failures = 0, last_success_at = ? WHERE id = ?",
  );
  const failed = db.prepare<{ id: string; at: number; status: number | null; error: WebhookError }>(`
    UPDATE webhook_subscriptions SET consecutive_failures = consecutive_failures + 1, last_failure_at = @at,
      last_failure_status = @status, last_failure_error = @error WHERE id = @id`);
  const gone = db.prepare<[], { id: string }>("SELECT id FROM webhook_subscriptions WHERE deleted_at IS NOT NULL");
  const forgetDeleted = db.prepare(`
    DELETE FROM webhook_subscriptions WHERE deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.subscription_id = webhook_subscriptions.id)`);

  /** Null after a failed write: read again when it is needed, for just then the file may not be readable. */
  let kept: Map<string, Subscription> | null = null;
  const locked = [...live().values()].filter(({ secret }) => secret === null).map(({ id }) => id);
  if (locked.length > 0) world.log.warn({ webhooks: locked }, "the key for the secrets of these webhooks is not here");
  /** The enabled subscriptions that want an event, for the events that occurred since subscriptions last changed. */
  const wantingByEvent = new Map<WebhookEvent, readonly Subscription[]>();
  /** Every change that concerns a receiver looks at how it does. */
  const healthById = new Map<string, SubscriptionHealth>();
  changes.addUndoListener(() => {
    kept = null;
    healthById.clear();
    wantingByEvent.clear();
  });

  function live(): Map<string, Subscription> {
    kept ??= new Map(all.all().map((row) => [row.id, fromRow(row)]));
    return kept;
  }

  /** Decrypted once, not for each delivery. */
  function fromRow(stored: Row): Subscription {
    const { url, isEnabled, events, secret, credentials, gatheredFrom, gatheredTo, ...row } = stored;
    return {
      ...row,
      url: withCredentials(url, credentials === null ? null : cipher.decrypt(credentials, row.id)),
      gathered: gatheredFrom === null ? null : { from: gatheredFrom, to: gatheredTo },
      events: parseColumn<Subscription["events"]>(events, []),
      isEnabled: isEnabled === 1,
      secret: cipher.decrypt(secret, row.id),
    };
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
    /** Every subscription that is not deleted, oldest first. */
    list: (): Subscription[] => [...live().values()],
    get: (id: string): Subscription | null => live().get(id) ?? null,
    /** A subscription, also one that is deleted while deliveries still name it. */
    find(id: string): Subscription | null {
      const known = live().get(id);
      if (known !== undefined) return known;
      const row = findRow.get(id);
      return row === undefined ? null : fromRow(row);
    },
    /** Ids of deleted subscriptions that deliveries still name. */
    deletedIds: (): string[] => gone.all().map(({ id }) => id),
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
      const secret = newSecret();
      const { url, credentials } = splitCredentials(input.url);
      const row: Row = {
        id,
        url,
        events: JSON.stringify(normalEvents(input.events ?? [])),
        isEnabled: 1,
        createdBy: input.createdBy,
        createdAt: tx.now,
        secret: cipher.encrypt(secret, id),
        credentials: credentials === null ? null : cipher.encrypt(credentials, id),
        gatheredFrom: null,
        gatheredTo: null,
      };
      insert.run(row);
      const subscription = { ...fromRow(row), secret };
      keepLive(subscription);
      return subscription;
    },

    require,
    /** Replaces the secret with the given or a new one. */
    setSecret(id: string, secret: string = newSecret()): SubscriptionWithSecret {
      const subscription = { ...require(id), secret };
      setSecret.run(cipher.encrypt(secret, id), id);
      keepLive(subscription);
      return subscription;
    },

    /** What waits for a disabled one is parked by the dispatcher. */
    setEnabled(id: string, isEnabled: boolean): void {
      keepLive({ ...require(id), isEnabled });
      setEnabled.run(isEnabled ? 1 : 0, id);
    },

    /** The row stays until its deliveries are pruned. */
    remove(now: number, id: string): void {
      markDeleted.run(now, id);
      live().delete(id);
      wantingByEvent.clear();
    },

    /** Which events wait without a delivery each. It wants the same events as before. */
    setGathered(id: string, gathered: GatheredRange | null): void {
      const known = live().get(id);
      if (known === undefined) return;
      setGathered.run({ id, from: gathered?.from ?? null, to: gathered?.to ?? null });
      keepLive({ ...known, gathered });
    },

    health(id: string): SubscriptionHealth {
      const known = healthById.get(id) ?? healthOf(health.get(id));
      healthById.set(id, known);
      return known;
    },
    noteSuccess(id: string, at: number): void {
      succeeded.run(at, id);
      healthById.delete(id);
    },
    noteFailure(id: string, at: number, status: number | null, error: WebhookError): void {
      failed.run({ id, at, status, error });
      healthById.delete(id);
    },
    /** A receiver that is paused is tried again at once. */
    resume(id: string): void {
      resumed.run(id);
      healthById.delete(id);
    },
    /** The enabled subscriptions whose receivers do not answer. */
    paused(now: number): Subscription[] {
      return [...live().values()].filter(
        ({ id, isEnabled }) => isEnabled && pausedUntil(this.health(id), now) !== null,
      );
    },

    forgetDeleted: (): void => void forgetDeleted.run(),
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

function healthOf(row: HealthRow | undefined): SubscriptionHealth {
  return {
    consecutiveFailures: row?.consecutiveFailures ?? 0,
    lastSuccessAt: row?.lastSuccessAt ?? null,
    lastFailure:
      row?.lastFailureAt == null
        ? null
        : { at: row.lastFailureAt, status: row.lastFailureStatus, error: row.lastFailureError ?? "unreachable" },
  };
}

function normalEvents(events: readonly string[]): string[] {
  return events.length === 0 || events.includes("*") ? ["*"] : [...new Set(events)];
}
