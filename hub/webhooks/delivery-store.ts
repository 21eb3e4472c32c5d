import type { WebhookError, WebhookEvent } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { backoffMs, MAX_ATTEMPTS } from "./backoff.ts";

/** `parked`: its subscription was deleted or disabled before it was delivered. */
export type DeliveryState = "pending" | "delivered" | "dead" | "parked";

/** One event for one subscription, as the operator sees it. Times are ms since 1970. */
export interface Delivery {
  id: number;
  subscriptionId: string;
  event: WebhookEvent;
  /** The order or table it tells of. */
  subject: string;
  state: DeliveryState;
  attempts: number;
  createdAt: number;
  /** When it is tried next; null when it is settled or under way. */
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

export interface DeliveryFilter {
  subscriptionId?: string | undefined;
  state?: DeliveryState | undefined;
  event?: string | undefined;
  /** Part of the order reference or table. */
  search?: string | undefined;
  /** Only deliveries with a smaller id, for paging. */
  below?: number | undefined;
  limit: number;
}

export interface DeliveryCounts {
  pending: number;
  deadLettered: number;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Stands for "under way" where a time of the next attempt would be: no clock ever reaches it. */
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
const FILTER = `
  (@subscriptionId IS NULL OR d.subscription_id = @subscriptionId) AND (@state IS NULL OR d.state = @state)
  AND (@event IS NULL OR d.event = @event) AND (@search IS NULL OR instr(d.subject, @search) > 0)`;

/** The outbox of webhooks: every event for every subscription until it is delivered, and the log of attempts. */
export function createDeliveryStore(db: Db) {
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO webhook_deliveries (subscription_id, event, subject, content, attempts, next_attempt_at, created_at)
    VALUES (@subscriptionId, @event, @subject, @content, @attempts, @nextAttemptAt, @now)`);
  const due = db.prepare<{ subscriptionId: string; now: number; limit: number }, Claimed>(`
    SELECT id, event, content, attempts FROM webhook_deliveries
    WHERE subscription_id = @subscriptionId AND state = 'pending' AND next_attempt_at <= @now
    ORDER BY next_attempt_at, id LIMIT @limit`);
  const claim = db.prepare<[number]>(
    `UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = ${UNDER_WAY} WHERE id = ?`,
  );
  const giveBack = db.prepare<[number, number]>(`
    UPDATE webhook_deliveries SET attempts = max(0, attempts - 1), next_attempt_at = ?
    WHERE id = ? AND state = 'pending'`);
  const nextDue = db.prepare<[string], { at: number | null }>(`
    SELECT min(next_attempt_at) AS at FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND next_attempt_at < ${UNDER_WAY}`);
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
  const dead = db.prepare<{ id: number; now: number }>(
    "UPDATE webhook_deliveries SET state = 'dead', settled_at = @now WHERE id = @id AND state = 'pending'",
  );
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
  const unpark = db.prepare<{ subscriptionId: string; now: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', settled_at = NULL, next_attempt_at = @now
    WHERE subscription_id = @subscriptionId AND state = 'parked'`);
  const counts = db.prepare<[], DeliveryCounts>(`
    SELECT (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS pending,
      (SELECT count(*) FROM webhook_deliveries WHERE state = 'dead') AS deadLettered`);
  const countsOf = db.prepare<[string, string, string, string, string], Record<string, number | null>>(`
    SELECT (SELECT count(*) FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending') AS pending,
      (SELECT min(created_at) FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending') AS oldestPendingAt,
      (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending'
        AND next_attempt_at < ${UNDER_WAY}) AS nextAttemptAt,
      (SELECT count(*) FROM webhook_deliveries WHERE subscription_id = ? AND state = 'dead') AS deadLettered,
      (SELECT count(*) FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending' AND attempts >= 6)
        AS nearlyDead`);
  const list = db.prepare<Record<string, unknown>, Delivery>(`
    SELECT ${COLUMNS} FROM webhook_deliveries d
    WHERE ${FILTER} AND (@below IS NULL OR d.id < @below) ORDER BY d.id DESC LIMIT @limit`);
  const count = db.prepare<Record<string, unknown>, { n: number }>(
    `SELECT count(*) AS n FROM webhook_deliveries d WHERE ${FILTER}`,
  );
  const get = db.prepare<[number], Delivery & { content: string }>(
    `SELECT ${COLUMNS}, d.content FROM webhook_deliveries d WHERE d.id = ?`,
  );
  const oldestPending = db.prepare<[], { at: number | null }>(
    "SELECT min(created_at) AS at FROM webhook_deliveries WHERE state = 'pending'",
  );
  const ofSubject = db.prepare<[string], Delivery>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.subject = ? ORDER BY d.id`,
  );
  const attempts = db.prepare<[number], Omit<Attempt, "attempt">>(
    "SELECT at, status, error, ms, answer FROM webhook_attempts WHERE delivery_id = ? ORDER BY id",
  );
  const replay = db.prepare<{ id: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE id = @id AND NOT (state = 'pending' AND next_attempt_at = ${UNDER_WAY})`);
  const replayDead = db.prepare<{ subscriptionId: string | null; since: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE state = 'dead' AND created_at >= @since
      AND (@subscriptionId IS NULL OR subscription_id = @subscriptionId)`);
  const deadGroups = db.prepare<[], DeadGroup>(`
    SELECT d.subscription_id AS subscriptionId,
      coalesce(a.error, CASE WHEN a.status IS NULL THEN 'interrupted' ELSE 'http_error' END) AS reason,
      a.status, count(*) AS count, min(d.created_at) AS oldestAt, max(d.created_at) AS newestAt
    FROM webhook_deliveries d LEFT JOIN webhook_attempts a
      ON a.id = (SELECT max(id) FROM webhook_attempts WHERE delivery_id = d.id)
    WHERE d.state = 'dead' GROUP BY 1, 2, 3 ORDER BY count(*) DESC`);
  const correctAge = db.prepare<{ byMs: number; since: number }>(
    "UPDATE webhook_deliveries SET created_at = created_at + @byMs WHERE created_at >= @since",
  );
  const pruneAttempts = db.prepare<{ before: number; limit: number }>(`
    DELETE FROM webhook_attempts WHERE delivery_id IN (
      SELECT id FROM webhook_deliveries WHERE state <> 'pending' AND created_at < @before ORDER BY created_at LIMIT @limit)`);
  const prune = db.prepare<{ before: number; limit: number }>(`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE state <> 'pending' AND created_at < @before ORDER BY created_at LIMIT @limit)`);

  return {
    /** Queues an event for a subscription; `isClaimed` counts its first attempt, which then follows after the commit. */
    add(
      row: { subscriptionId: string; event: string; subject: string; content: string; now: number },
      isClaimed: boolean,
    ): number {
      const nextAttemptAt = isClaimed ? UNDER_WAY : row.now;
      return Number(insert.run({ ...row, attempts: isClaimed ? 1 : 0, nextAttemptAt }).lastInsertRowid);
    },

    /** Takes what is due for a subscription and counts the attempt, before it is made. */
    claimDue(subscriptionId: string, now: number, limit: number): Claimed[] {
      const rows = due.all({ subscriptionId, now, limit });
      for (const row of rows) claim.run(row.id);
      return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
    },
    /** Undoes a claim whose attempt was not made. */
    giveBack: (id: number, now: number): void => void giveBack.run(now, id),
    /** When the next waiting delivery of a subscription is due; null when none waits. */
    nextDueAt: (subscriptionId: string): number | null => nextDue.get(subscriptionId)?.at ?? null,
    /** After a start: what was under way when the hub ended is due again. */
    releaseInterrupted: (subscriptionId: string, now: number): number => release.run({ subscriptionId, now }).changes,
    /** What is to wait longer than its back-off was stamped before the clock was put back: it is due. */
    pullForward: (subscriptionId: string, now: number): void => void pullForward.run({ subscriptionId, now }),

    settleDelivered: (id: number, now: number): void => void delivered.run({ id, now }),
    settleDead: (id: number, now: number): void => void dead.run({ id, now }),
    retryAt: (id: number, at: number): void => void retryAt.run({ id, at }),
    logAttempt: (
      id: number,
      attempt: { at: number; status: number | null; ms: number; error: WebhookError | null; answer: string | null },
    ): void => void logAttempt.run({ id, ...attempt }),

    /** Parks what waits for a subscription, at most `limit`; answers how many. */
    park: (subscriptionId: string, now: number, limit: number): number =>
      park.run({ subscriptionId, now, limit }).changes,
    /** What was parked for a subscription waits again. */
    unpark: (subscriptionId: string, now: number): number => unpark.run({ subscriptionId, now }).changes,

    counts: (): DeliveryCounts => counts.get() ?? { pending: 0, deadLettered: 0 },
    countsOf(id: string) {
      const row = countsOf.get(id, id, id, id, id);
      return {
        pending: row?.["pending"] ?? 0,
        oldestPendingAt: row?.["oldestPendingAt"] ?? null,
        nextAttemptAt: row?.["nextAttemptAt"] ?? null,
        deadLettered: row?.["deadLettered"] ?? 0,
        /** At their last attempt or the one before. */
        nearlyDead: row?.["nearlyDead"] ?? 0,
      };
    },

    /** When the oldest delivery was queued that still waits; null when none does. */
    oldestPendingAt: (): number | null => oldestPending.get()?.at ?? null,
    /** Everything that told of an order or table, oldest first. */
    ofSubject: (subject: string): Delivery[] => ofSubject.all(subject),
    /** Newest first. */
    list: (filter: DeliveryFilter): Delivery[] =>
      list.all({ ...filterColumns(filter), below: filter.below ?? null, limit: filter.limit }),
    count: (filter: Omit<DeliveryFilter, "limit" | "below">): number => count.get(filterColumns(filter))?.n ?? 0,
    get(id: number): Delivery | null {
      const row = get.get(id);
      if (row === undefined) return null;
      const { content: _, ...delivery } = row;
      return delivery;
    },
    /** The body as it is sent, byte for byte. */
    body(id: number): string | null {
      const row = get.get(id);
      return row === undefined ? null : deliveryBody(id, row.content);
    },
    attempts: (id: number): Attempt[] => attempts.all(id).map((row, index) => ({ attempt: index + 1, ...row })),

    /** Makes a delivery due again with all its attempts; false when it is unknown or under way. */
    replay: (id: number, now: number): boolean => replay.run({ id, now }).changes === 1,
    /** Makes dead-lettered deliveries due again: of one subscription or all, made since a time (ms) or ever. */
    replayDead: (filter: { subscriptionId?: string | undefined; since?: number | undefined }, now: number): number =>
      replayDead.run({ subscriptionId: filter.subscriptionId ?? null, since: filter.since ?? 0, now }).changes,
    deadGroups: (): DeadGroup[] => deadGroups.all(),

    /** After a correction of the time by `byMs`: what was queued since `since` (ms since 1970) is no older for it. */
    correctAge: (byMs: number, since: number): void => void correctAge.run({ byMs, since }),
    /** Forgets what was settled and made before a time, at most `limit`; never what still waits. */
    prune(before: number, limit: number): number {
      pruneAttempts.run({ before, limit });
      return prune.run({ before, limit }).changes;
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

/** The body of a delivery: its id, then what all subscriptions to the event are told alike. */
export function deliveryBody(id: number, content: string): string {
  return `{"id":${id},${content.slice(1)}`;
}

function filterColumns(filter: Omit<DeliveryFilter, "limit" | "below">) {
  const { subscriptionId = null, state = null, event = null, search = null } = filter;
  return { subscriptionId, state, event, search };
}
