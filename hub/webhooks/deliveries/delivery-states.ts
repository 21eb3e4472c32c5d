import { SLICE_ROWS } from "../../changes/write-in-slices.ts";
import type { Db } from "../../db/open.ts";
import { UNDER_WAY, UNSETTLED } from "./delivery-queue.ts";
import type { Attempt } from "./delivery-reads.ts";

/** Dead-lettered deliveries of one subscription or all, created since a time (ms since 1970) or ever. */
export interface DeadFilter {
  subscriptionId?: string | undefined;
  since?: number | undefined;
}

/** Settles, logs, parks and replays deliveries. */
export function createDeliveryStates(db: Db) {
  const delivered = db.prepare<{ id: number; now: number }>(
    `UPDATE webhook_deliveries SET state = 'delivered', settled_at = @now WHERE id = @id AND ${UNSETTLED}`,
  );
  const dead = db.prepare<{ id: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'dead', settled_at = @now, (dead_status, dead_error) = (
      SELECT status, coalesce(error, CASE WHEN status IS NULL THEN 'interrupted' ELSE 'http_error' END)
      FROM webhook_attempts WHERE delivery_id = @id ORDER BY id DESC LIMIT 1)
    WHERE id = @id AND ${UNSETTLED}`);
  const retryAt = db.prepare<{ id: number; at: number }>(
    `UPDATE webhook_deliveries SET next_attempt_at = @at WHERE id = @id AND ${UNSETTLED}`,
  );
  const logAttempt = db.prepare<Record<string, unknown>>(`
    INSERT INTO webhook_attempts (delivery_id, at, status, ms, error, answer)
    VALUES (@id, @at, @status, @ms, @error, @answer)`);
  const park = db.prepare<{ subscriptionId: string; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'parked', settled_at = @now WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE subscription_id = @subscriptionId AND state = 'pending' LIMIT @limit)`);
  const hasPending = db.prepare<[string]>(
    "SELECT 1 FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending' LIMIT 1",
  );
  const hasParked = db.prepare<[string]>(
    "SELECT 1 FROM webhook_deliveries WHERE subscription_id = ? AND state = 'parked' LIMIT 1",
  );
  const unpark = db.prepare<{ subscriptionId: string; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', settled_at = NULL,
      next_attempt_at = iif(next_attempt_at = ${UNDER_WAY}, next_attempt_at, @now) WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE subscription_id = @subscriptionId AND state = 'parked' LIMIT @limit)`);
  const replay = db.prepare<{ id: number; now: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE id = @id AND NOT (${UNSETTLED} AND next_attempt_at = ${UNDER_WAY})`);
  const replayDead = db.prepare<{ subscriptionId: string | null; since: number; now: number; limit: number }>(`
    UPDATE webhook_deliveries SET state = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = @now
    WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE state = 'dead' AND created_at >= @since
        AND (@subscriptionId IS NULL OR subscription_id = @subscriptionId) LIMIT @limit)`);

  return {
    settleDelivered: (id: number, now: number): void => void delivered.run({ id, now }),
    settleDead: (id: number, now: number): void => void dead.run({ id, now }),
    retryAt: (id: number, at: number): void => void retryAt.run({ id, at }),
    logAttempt: (id: number, attempt: Omit<Attempt, "attempt">): void => void logAttempt.run({ id, ...attempt }),

    /** Parks a subscription's pending deliveries, including those under way, at most `SLICE_ROWS`. Returns how many. */
    park: (subscriptionId: string, now: number): number => park.run({ subscriptionId, now, limit: SLICE_ROWS }).changes,
    hasPending: (subscriptionId: string): boolean => hasPending.get(subscriptionId) !== undefined,
    hasParked: (subscriptionId: string): boolean => hasParked.get(subscriptionId) !== undefined,
    /** Unparks a subscription's deliveries, at most `SLICE_ROWS`; all are due unless under way. Returns how many. */
    unpark: (subscriptionId: string, now: number): number =>
      unpark.run({ subscriptionId, now, limit: SLICE_ROWS }).changes,

    /** Makes a delivery due again with all its attempts. Returns false if it is unknown or under way. */
    replay: (id: number, now: number): boolean => replay.run({ id, now }).changes === 1,
    /** Makes dead-lettered deliveries that match the filter due again, at most `SLICE_ROWS`. Returns how many. */
    replayDead: ({ subscriptionId, since = 0 }: DeadFilter, now: number): number =>
      replayDead.run({ subscriptionId: subscriptionId ?? null, since, now, limit: SLICE_ROWS }).changes,
  };
}
