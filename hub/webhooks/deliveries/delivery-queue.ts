import type { Db } from "../../db/open.ts";
import { WAITS_MS } from "./backoff.ts";

/** A delivery about to be attempted; its attempt is already counted. */
export interface Claimed {
  id: number;
  event: string;
  content: string;
  attempts: number;
}

/** `next_attempt_at` of a delivery under way: a time that no clock ever reaches. */
export const UNDER_WAY = 253_402_300_799_000;
/** Not settled: waiting, or parked, maybe during an attempt. */
export const UNSETTLED = "state IN ('pending', 'parked')";
/** The content of an event is stored once, and compressed later. */
export const CONTENT = "plain(e.content, e.packed) AS content";

/** The longest back-off of a delivery, as SQL; 0 before its first attempt. */
const MAX_WAIT = `CASE attempts ${WAITS_MS.map((ms, index) => `WHEN ${index + 1} THEN ${ms}`).join(" ")} ELSE 0 END`;

/** The queue of deliveries: each is added in the transaction of its event, and claimed when due. */
export function createDeliveryQueue(db: Db) {
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
    WHERE id = ? AND ${UNSETTLED}`);
  const nextDue = db.prepare<[string], { at: number | null }>(`
    SELECT min(next_attempt_at) AS at FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND next_attempt_at < ${UNDER_WAY}`);
  const nextRetry = db.prepare<[string], { at: number | null }>(`
    SELECT min(next_attempt_at) AS at FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND attempts > 0 AND next_attempt_at < ${UNDER_WAY}`);
  const release = db.prepare<{ subscriptionId: string; now: number }>(`
    UPDATE webhook_deliveries SET next_attempt_at = @now WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE subscription_id = @subscriptionId AND state = 'pending' AND next_attempt_at = ${UNDER_WAY}
      UNION ALL SELECT id FROM webhook_deliveries
      WHERE subscription_id = @subscriptionId AND state = 'parked' AND next_attempt_at = ${UNDER_WAY})`);
  const pullForward = db.prepare<{ subscriptionId: string; now: number }>(`
    UPDATE webhook_deliveries SET next_attempt_at = @now
    WHERE subscription_id = @subscriptionId AND state = 'pending'
      AND next_attempt_at > @now AND next_attempt_at > @now + ${MAX_WAIT} AND next_attempt_at < ${UNDER_WAY}`);

  return {
    /** Stores the content of an event for all its subscriptions. Returns the id for `add`. */
    addEvent: (row: { event: string; content: string; subject: string }, now: number): number =>
      Number(insertEvent.run(row.event, row.content, row.subject, now).lastInsertRowid),
    /** Queues an event for a subscription. `isClaimed` counts its first attempt, which follows after the commit. */
    add(
      row: { subscriptionId: string; eventId: number; event: string; subject: string; now: number },
      isClaimed: boolean,
    ): number {
      const nextAttemptAt = isClaimed ? UNDER_WAY : row.now;
      return Number(insert.run({ ...row, attempts: isClaimed ? 1 : 0, nextAttemptAt }).lastInsertRowid);
    },

    /**
     * Claims due deliveries of a subscription, counting each attempt before it begins. With `isRetry`, claims only deliveries
     * that were attempted before.
     */
    claimDue(subscriptionId: string, now: number, limit: number, isRetry = false): Claimed[] {
      const rows = due.all({ subscriptionId, now, limit, attempted: isRetry ? 1 : 0 });
      for (const row of rows) claim.run(row.id);
      return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
    },
    /** Undoes a claim whose attempt never began. */
    giveBack: (id: number, now: number): void => void giveBack.run(now, id),
    /** When the next waiting delivery of a subscription is due; null if none is waiting. */
    nextDueAt: (subscriptionId: string): number | null => nextDue.get(subscriptionId)?.at ?? null,
    /** When the next retry of a subscription is due; null if none is waiting. */
    nextRetryAt: (subscriptionId: string): number | null => nextRetry.get(subscriptionId)?.at ?? null,
    /** After a start, makes deliveries due again whose attempt the hub's end interrupted. */
    releaseInterrupted: (subscriptionId: string, now: number): number => release.run({ subscriptionId, now }).changes,
    /** Makes deliveries due that would wait longer than their back-off: the clock was set back since. */
    pullForward: (subscriptionId: string, now: number): void => void pullForward.run({ subscriptionId, now }),
  };
}
