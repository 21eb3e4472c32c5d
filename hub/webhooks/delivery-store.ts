import type { DeliveryState, WebhookError, WebhookEvent } from "@comanda/protocol";
import { SLICE_ROWS } from "../changes/write-in-slices.ts";
import type { Total } from "../db/rows/count-up-to.ts";
import type { Db } from "../db/open.ts";
import { backoffMs, MAX_ATTEMPTS } from "./backoff.ts";
import { countDeliveries, findDeliveries, type DeliveryFilter, type DeliveryPage } from "./find-deliveries.ts";

/** One event for one subscription, as the operator sees it. Times are ms since 1970. */
export interface Delivery {
  id: number;
  subscriptionId: string;
  event: WebhookEvent;
  /** The order or table that the event is about. */
  subject: string;
  state: DeliveryState;
  attempts: number;
  createdAt: number;
  /** When the next attempt is due; null when it is settled or under way. */
  nextAttemptAt: number | null;
  settledAt: number | null;
  lastStatus: number | null;
  lastError: WebhookError | null;
}

export interface Attempt {
  /** Counted from 1. */
  attempt: number;
  at: number;
  status: number | null;
  error: WebhookError | null;
  ms: number;
  /** The first 4 KiB of the answer. */
  answer: string | null;
}

/** A delivery that is about to be attempted; its attempt is already counted. */
export interface Claimed {
  id: number;
  event: string;
  content: string;
  attempts: number;
}

/** Dead-lettered deliveries of one subscription or all, created since a time (ms since 1970) or ever. */
export interface DeadFilter {
  subscriptionId?: string | undefined;
  since?: number | undefined;
}

/** The counts of one subscription, for the list of webhooks. Times are ms since 1970. */
export interface SubscriptionCounts {
  pending: number;
  oldestPendingAt: number | null;
  nextAttemptAt: number | null;
  deadLettered: number;
  /** At their last attempt or the one before. */
  nearlyDead: number;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** The time of the next attempt while one is under way: no clock ever reaches it. */
const UNDER_WAY = 253_402_300_799_000;

/** How long a delivery waits at most, in SQL: before its first attempt not at all. */
const LONGEST_WAIT = `CASE attempts ${Array.from(
  { length: MAX_ATTEMPTS - 1 },
  (_, index) => `WHEN ${index + 1} THEN ${backoffMs(index + 1)}`,
).join(" ")} ELSE 0 END`;

const COLUMNS = `
  d.id, d.subscription_id AS subscriptionId, d.event, d.subject, d.state, d.attempts, d.created_at AS createdAt,
  CASE WHEN d.state = 'pending' AND d.next_attempt_at < ${UNDER_WAY} THEN d.next_attempt_at END AS nextAttemptAt,
  d.settled_at AS settledAt,
  (SELECT a.status FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1) AS lastStatus,
  (SELECT a.error FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1) AS lastError`;

/** The content is stored with the event, packed by and by. */
const CONTENT = "plain(e.content, e.packed) AS content";

/**
 * The outbox of webhooks: each event once, its delivery to each subscription until it has arrived, and the log of
 * attempts.
 */
export function createDeliveryStore(db: Db) {
  const insertEvent = db.prepare<[string, string, string, number]>(
    "INSERT INTO webhook_events (event, content, subject, created_at) VALUES (?, ?, ?, ?)",
  );
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO webhook_deliveries
      (subscription_id, event, subject, event_id, attempts, next_attempt_at, created_at)
    VALUES (@subscriptionId, @event, @subject, @eventId, @attempts, @nextAttemptAt, @now)`);
  const due = db.prepare<{ subscriptionId: string; now: number; limit: number; attempted: number }, Claimed>(`
    SELECT d.id, d.event, ${CONTENT}, d.attempts
    FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
    WHERE d.subscription_id = @subscriptionId AND d.state = 'pending' AND d.next_attempt_at <= @now
      AND d.attempts >= @attempted
    ORDER BY d.next_attempt_at, d.id LIMIT @limit`);
  const claim = db.prepare<[number]>(
    `UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = ${UNDER_WAY} WHERE id = ?`,
  );
  const giveBack = db.prepare<[number, number]>(`
    UPDATE webhook_deliveries SET attempts = max(0, attempts - 1), next_attempt_at = ?
    WHERE id = ? AND state = 'pending'`);
  const nextDue = db.prepare<[string], { at: number | null }>(`
    SELECT min(next_attempt_at) AS at FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND next_attempt_at < ${UNDER_WAY}`);
  const nextRetry = db.prepare<[string], { at: number | null }>(`
    SELECT min(next_attempt_at) AS at FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND attempts > 0 AND next_attempt_at < ${UNDER_WAY}`);
  const release = db.prepare<{ subscriptionId: string; now: number }>(`
    UPDATE webhook_deliveries SET next_attempt_at = @now
    WHERE subscription_id = @subscriptionId AND state = 'pending' AND next_attempt_at = ${UNDER_WAY}`);
  const pullForward = db.prepare<{ subscriptionId: string; now: number }>(`
    UPDATE webhook_deliveries SET next_attempt_at = @now
    WHERE subscription_id = @subscriptionId AND state = 'pending'
      AND next_attempt_at > @now AND next_attempt_at > @now + ${LONGEST_WAIT} AND next_attempt_at < ${UNDER_WAY}`);
  const delivered = db.prepare<{ id: number; now: number }>(
    "UPDATE webhook_deliveries SET state = 'delivered', settled_at = @now WHERE id = @id AND state = 'pending'",
  );
  const dead = db.prepare<{ id: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'dead', settled_at = @now, (dead_status, dead_error) = (
      SELECT status, coalesce(error, CASE WHEN status IS NULL THEN 'interrupted' ELSE 'http_error' END)
      FROM webhook_attempts WHERE delivery_id = @id ORDER BY id DESC LIMIT 1)
    WHERE id = @id AND state = 'pending'`);
  const retryAt = db.prepare<{ id: number; at: number }>(
    "UPDATE webhook_deliveries SET next_attempt_at = @at WHERE id = @id AND state = 'pending'",
  );
  const logAttempt = db.prepare<Record<string, unknown>>(`
    INSERT INTO webhook_attempts (delivery_id, at, status, ms, error, answer)
    VALUES (@id, @at, @status, @ms, @error, @answer)`);
  const park = db.prepare<{ subscriptionId: string; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'parked', settled_at = @now WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE subscription_id = @subscriptionId AND state = 'pending' AND next_attempt_at < ${UNDER_WAY} LIMIT @limit)`);
  const hasParked = db.prepare<[string]>(
    "SELECT 1 FROM webhook_deliveries WHERE subscription_id = ? AND state = 'parked' LIMIT 1",
  );
  const unpark = db.prepare<{ subscriptionId: string; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', settled_at = NULL, next_attempt_at = @now WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE subscription_id = @subscriptionId AND state = 'parked' LIMIT @limit)`);
  const pending = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'pending'");
  const oldestPending = db.prepare<[], { at: number | null }>(
    "SELECT min(created_at) AS at FROM webhook_deliveries WHERE state = 'pending'",
  );
  const deadLettered = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'dead'",
  );
  const pendingOf = db.prepare<[string], Omit<SubscriptionCounts, "deadLettered">>(`
    SELECT count(*) AS pending, min(created_at) AS oldestPendingAt,
      min(next_attempt_at) FILTER (WHERE next_attempt_at < ${UNDER_WAY}) AS nextAttemptAt,
      count(*) FILTER (WHERE attempts >= ${MAX_ATTEMPTS - 2}) AS nearlyDead
    FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending'`);
  const deadOf = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE subscription_id = ? AND state = 'dead'",
  );
  const get = db.prepare<[number], Delivery>(`SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = ?`);
  const content = db.prepare<[number], { content: string }>(`
    SELECT ${CONTENT} FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id WHERE d.id = ?`);
  const ofSubject = db.prepare<[string], Delivery>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.subject = ? ORDER BY d.id`,
  );
  const attempts = db.prepare<[number], Omit<Attempt, "attempt">>(
    "SELECT at, status, error, ms, answer FROM webhook_attempts WHERE delivery_id = ? ORDER BY id",
  );
  const replay = db.prepare<{ id: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE id = @id AND NOT (state = 'pending' AND next_attempt_at = ${UNDER_WAY})`);
  const replayDead = db.prepare<{ subscriptionId: string | null; since: number; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE state = 'dead' AND created_at >= @since
        AND (@subscriptionId IS NULL OR subscription_id = @subscriptionId) LIMIT @limit)`);
  const deadGroups = db.prepare<[], DeadGroup>(`
    SELECT subscription_id AS subscriptionId, coalesce(dead_error, 'interrupted') AS reason, dead_status AS status,
      count(*) AS count, min(created_at) AS oldestAt, max(created_at) AS newestAt
    FROM webhook_deliveries WHERE state = 'dead'
    GROUP BY subscription_id, dead_error, dead_status ORDER BY count(*) DESC`);
  const correctWaiting = db.prepare<{ byMs: number; since: number }>(`
    UPDATE webhook_deliveries SET created_at = created_at + @byMs WHERE state = 'pending' AND created_at >= @since`);
  const correctSettled = db.prepare<{ byMs: number; since: number }>(`
    UPDATE webhook_deliveries SET created_at = created_at + @byMs WHERE state <> 'pending' AND created_at >= @since`);
  const forgettable = db.prepare<{ before: number; limit: number }, { id: number; eventId: number }>(`
    SELECT id, event_id AS eventId FROM webhook_deliveries
    WHERE state <> 'pending' AND created_at < @before ORDER BY created_at LIMIT @limit`);
  const forgetAttempts = db.prepare<[number]>("DELETE FROM webhook_attempts WHERE delivery_id = ?");
  const forget = db.prepare<[number]>("DELETE FROM webhook_deliveries WHERE id = ?");
  const forgetEvent = db.prepare<{ id: number }>(`
    DELETE FROM webhook_events
    WHERE id = @id AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = @id)
      AND NOT EXISTS (
        SELECT 1 FROM webhook_subscriptions WHERE @id BETWEEN gathered_from AND coalesce(gathered_to, @id))`);

  return {
    /** Stores the content of an event for all its subscriptions; returns the id for `add`. */
    addEvent: (row: { event: string; content: string; subject: string }, now: number): number =>
      Number(insertEvent.run(row.event, row.content, row.subject, now).lastInsertRowid),
    /** Queues an event for a subscription; `isClaimed` counts its first attempt, which then follows after the commit. */
    add(
      row: { subscriptionId: string; eventId: number; event: string; subject: string; now: number },
      isClaimed: boolean,
    ): number {
      const nextAttemptAt = isClaimed ? UNDER_WAY : row.now;
      return Number(insert.run({ ...row, attempts: isClaimed ? 1 : 0, nextAttemptAt }).lastInsertRowid);
    },

    /**
     * Takes deliveries that are due for a subscription and counts their attempt before it begins; with `isRetry` only those
     * that were attempted before.
     */
    claimDue(subscriptionId: string, now: number, limit: number, isRetry = false): Claimed[] {
      const rows = due.all({ subscriptionId, now, limit, attempted: isRetry ? 1 : 0 });
      for (const row of rows) claim.run(row.id);
      return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
    },
    /** Undoes a claim whose attempt never began. */
    giveBack: (id: number, now: number): void => void giveBack.run(now, id),
    /** When the next waiting delivery of a subscription is due; null when none waits. */
    nextDueAt: (subscriptionId: string): number | null => nextDue.get(subscriptionId)?.at ?? null,
    /** The same of those that were attempted before. */
    nextRetryAt: (subscriptionId: string): number | null => nextRetry.get(subscriptionId)?.at ?? null,
    /** After a start: what was under way when the hub ended is due again. */
    releaseInterrupted: (subscriptionId: string, now: number): number => release.run({ subscriptionId, now }).changes,
    /** What is to wait longer than its back-off was stamped before the clock was put back: it is due. */
    pullForward: (subscriptionId: string, now: number): void => void pullForward.run({ subscriptionId, now }),

    settleDelivered: (id: number, now: number): void => void delivered.run({ id, now }),
    settleDead: (id: number, now: number): void => void dead.run({ id, now }),
    retryAt: (id: number, at: number): void => void retryAt.run({ id, at }),
    logAttempt: (id: number, attempt: Omit<Attempt, "attempt">): void => void logAttempt.run({ id, ...attempt }),

    /** Parks what waits for a subscription, at most `SLICE_ROWS`; returns how many. */
    park: (subscriptionId: string, now: number): number => park.run({ subscriptionId, now, limit: SLICE_ROWS }).changes,
    hasParked: (subscriptionId: string): boolean => hasParked.get(subscriptionId) !== undefined,
    /** Puts back what is parked for a subscription, at most `SLICE_ROWS`; returns how many. */
    unpark: (subscriptionId: string, now: number): number =>
      unpark.run({ subscriptionId, now, limit: SLICE_ROWS }).changes,

    counts: (): Pick<SubscriptionCounts, "pending" | "deadLettered"> => ({
      pending: pending.get()?.n ?? 0,
      deadLettered: deadLettered.get()?.n ?? 0,
    }),
    /** How many deliveries of a subscription wait, and how many are dead-lettered. */
    countsOf(id: string): SubscriptionCounts {
      const waiting = pendingOf.get(id) ?? { pending: 0, oldestPendingAt: null, nextAttemptAt: null, nearlyDead: 0 };
      return { ...waiting, deadLettered: deadOf.get(id)?.n ?? 0 };
    },

    /** When the oldest delivery was queued that still waits; null when none does. */
    oldestPendingAt: (): number | null => oldestPending.get()?.at ?? null,
    /** All deliveries about an order or table, oldest first. */
    ofSubject: (subject: string): Delivery[] => ofSubject.all(subject),
    /** Newest first. */
    list: (filter: DeliveryPage): Delivery[] => findDeliveries(db, filter).flatMap((id) => get.get(id) ?? []),
    count: (filter: DeliveryFilter): Total => countDeliveries(db, filter),
    get: (id: number): Delivery | null => get.get(id) ?? null,
    /** The body as it is sent, byte for byte. */
    body(id: number): string | null {
      const row = content.get(id);
      return row === undefined ? null : deliveryBody(id, row.content);
    },
    attempts: (id: number): Attempt[] => attempts.all(id).map((row, index) => ({ attempt: index + 1, ...row })),

    /** Makes a delivery due again with all its attempts; false when it is unknown or under way. */
    replay: (id: number, now: number): boolean => replay.run({ id, now }).changes === 1,
    /** Makes dead-lettered deliveries that fit the filter due again, at most `SLICE_ROWS`; returns how many. */
    replayDead: ({ subscriptionId, since = 0 }: DeadFilter, now: number): number =>
      replayDead.run({ subscriptionId: subscriptionId ?? null, since, now, limit: SLICE_ROWS }).changes,
    deadGroups: (): DeadGroup[] => deadGroups.all(),

    /** After a correction of the time by `byMs`: what was queued since `since` (ms since 1970) is no older for it. */
    correctAge(byMs: number, since: number): void {
      correctWaiting.run({ byMs, since });
      correctSettled.run({ byMs, since });
    },
    /**
     * Deletes settled deliveries that were created before a time, at most `SLICE_ROWS`; never what still waits. The content
     * of an event goes with its last delivery. Returns how many.
     */
    prune(before: number): number {
      const rows = forgettable.all({ before, limit: SLICE_ROWS });
      for (const { id } of rows) {
        forgetAttempts.run(id);
        forget.run(id);
      }
      for (const id of new Set(rows.map(({ eventId }) => eventId))) forgetEvent.run({ id });
      return rows.length;
    },
  };
}

export interface DeadGroup {
  subscriptionId: string;
  reason: WebhookError;
  /** What was answered last; null where nothing was. */
  status: number | null;
  count: number;
  oldestAt: number;
  newestAt: number;
}

/** The body of a delivery: its id, then the content, which all subscriptions to the event share. */
export function deliveryBody(id: number, content: string): string {
  return `{"id":${id},${content.slice(1)}`;
}
