import type { WebhookError } from "@comanda/protocol";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { Db } from "../../db/open.ts";
import { pausedUntil, PAUSE_AFTER, type SubscriptionHealth } from "./pauses.ts";

interface HealthRow {
  consecutiveFailures: number;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastFailureStatus: number | null;
  lastFailureError: WebhookError | null;
}

/** The health of each subscription's receiver, cached because every change for a receiver reads it. */
export function createHealthStore(db: Db, changes: Pick<ChangeLog, "addUndoListener">) {
  const health = db.prepare<[string], HealthRow>(`
    SELECT consecutive_failures AS consecutiveFailures, last_success_at AS lastSuccessAt,
      last_failure_at AS lastFailureAt, last_failure_status AS lastFailureStatus, last_failure_error AS lastFailureError
    FROM webhook_subscriptions WHERE id = ?`);
  const succeeded = db.prepare<[number, string]>(
    "UPDATE webhook_subscriptions SET consecutive_failures = 0, last_success_at = ? WHERE id = ?",
  );
  const failed = db.prepare<{
    id: string;
    at: number;
    status: number | null;
    error: WebhookError;
    consecutiveFailures: number;
  }>(`
    UPDATE webhook_subscriptions SET consecutive_failures = @consecutiveFailures, last_failure_at = @at,
      last_failure_status = @status, last_failure_error = @error WHERE id = @id`);
  const resumed = db.prepare<[string]>("UPDATE webhook_subscriptions SET consecutive_failures = 0 WHERE id = ?");
  const countedFrom = db.prepare<{ id: string; now: number }>(
    "UPDATE webhook_subscriptions SET last_failure_at = @now WHERE id = @id AND last_failure_at > @now",
  );
  const healthById = new Map<string, SubscriptionHealth>();
  changes.addUndoListener(() => healthById.clear());

  function readHealth(id: string): SubscriptionHealth {
    const current = healthById.get(id) ?? healthOf(health.get(id));
    healthById.set(id, current);
    return current;
  }

  return {
    health: readHealth,
    noteSuccess(id: string, at: number): void {
      succeeded.run(at, id);
      healthById.delete(id);
    },
    /**
     * Records a failure and returns whether a pause begins with it. Failures during a pause are not counted: deliveries sent
     * before it would lengthen it by all steps at once.
     */
    noteFailure(id: string, at: number, status: number | null, error: WebhookError): boolean {
      const before = readHealth(id);
      const counted = (pausedUntil(before, at) ?? at) <= at ? 1 : 0;
      const consecutiveFailures = before.consecutiveFailures + counted;
      failed.run({ id, at, status, error, consecutiveFailures });
      healthById.delete(id);
      return counted === 1 && consecutiveFailures === PAUSE_AFTER;
    },
    /** Counts a pause from now if its failure is in the future, stamped before the clock was set back. */
    countPauseFrom(id: string, now: number): void {
      countedFrom.run({ id, now });
      healthById.delete(id);
    },
    /** Ends a pause, so that the receiver is tried again at once. */
    resume(id: string): void {
      resumed.run(id);
      healthById.delete(id);
    },
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
