import type { WebhookEvent } from "@comanda/protocol";
import type { SecretCipher } from "../../db/files/secret-cipher.ts";
import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { readRow } from "../../db/rows/read-row.ts";
import { splitCredentials, withCredentials } from "../../platform/url-credentials.ts";

/** A subscription with all that a delivery needs. Times are ms since 1970. */
export interface Subscription {
  id: string;
  /** Includes user and password, if it has them and they can be decrypted. */
  url: string;
  events: readonly (WebhookEvent | "*")[];
  isEnabled: boolean;
  createdBy: string;
  createdAt: number;
  /** The HMAC key, never shown again and never logged. Null if the key that encrypted it is missing. */
  secret: string | null;
  /** Events gathered without a delivery each, because the receiver is behind or does not answer; null if none. */
  gathered: GatheredRange | null;
}

/** A subscription whose deliveries can be signed. */
export type SubscriptionWithSecret = Subscription & { secret: string };
/** Ids of the first and last event gathered for a subscription; `to` is null while new events join the range. */
export interface GatheredRange {
  from: number;
  to: number | null;
}

interface NewSubscription extends Pick<SubscriptionWithSecret, "id" | "url" | "createdBy" | "createdAt" | "secret"> {
  events?: readonly string[] | undefined;
}

interface Row extends Omit<Subscription, "events" | "isEnabled" | "secret" | "gathered"> {
  events: string;
  isEnabled: number;
  secret: string;
  credentials: string | null;
  gatheredFrom: number | null;
  gatheredTo: number | null;
}

/** The rows of subscriptions. Secrets and credentials are stored encrypted. */
export function createSubscriptionRows(db: Db, cipher: SecretCipher) {
  const select = `
    SELECT id, url, events, is_enabled AS isEnabled, created_by AS createdBy, created_at AS createdAt, secret, credentials,
      gathered_from AS gatheredFrom, gathered_to AS gatheredTo
    FROM webhook_subscriptions`;
  const list = db.prepare<[], Row>(`${select} WHERE deleted_at IS NULL ORDER BY created_at, id`);
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
  const deleted = db.prepare<[], { id: string }>("SELECT id FROM webhook_subscriptions WHERE deleted_at IS NOT NULL");
  const forgetDeleted = db.prepare(`
    DELETE FROM webhook_subscriptions WHERE deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.subscription_id = webhook_subscriptions.id)`);

  /** Decrypts a row; done once, not for each delivery. */
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

  return {
    /** All subscriptions that are not deleted, oldest first. */
    list: (): Subscription[] => list.all().map(fromRow),
    /** Also finds a deleted subscription while deliveries refer to it. */
    find: (id: string): Subscription | null => readRow(findRow.get(id), fromRow),
    /** Ids of deleted subscriptions that deliveries still refer to. */
    listDeletedIds: (): string[] => deleted.all().map(({ id }) => id),
    /** Inserts a subscription; without events it subscribes to all. */
    insert(input: NewSubscription): SubscriptionWithSecret {
      const { id, secret, createdBy, createdAt } = input;
      const { url, credentials } = splitCredentials(input.url);
      const row: Row = {
        id,
        url,
        events: JSON.stringify(normalEvents(input.events ?? [])),
        isEnabled: 1,
        createdBy,
        createdAt,
        secret: cipher.encrypt(secret, id),
        credentials: credentials === null ? null : cipher.encrypt(credentials, id),
        gatheredFrom: null,
        gatheredTo: null,
      };
      insert.run(row);
      return { ...fromRow(row), secret };
    },
    setSecret: (id: string, secret: string): void => void setSecret.run(cipher.encrypt(secret, id), id),
    setEnabled: (id: string, isEnabled: boolean): void => void setEnabled.run(isEnabled ? 1 : 0, id),
    setGathered: (id: string, gathered: GatheredRange | null): void =>
      void setGathered.run({ id, from: gathered?.from ?? null, to: gathered?.to ?? null }),
    /** The row stays until its deliveries are pruned. */
    markDeleted: (id: string, now: number): void => void markDeleted.run(now, id),
    forgetDeleted: (): void => void forgetDeleted.run(),
  };
}

function normalEvents(events: readonly string[]): string[] {
  return events.length === 0 || events.includes("*") ? ["*"] : [...new Set(events)];
}
