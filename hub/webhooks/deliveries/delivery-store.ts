import { type ClockSet, IS_OLDER } from "./clock-set.ts";
import { SLICE_ROWS } from "../../changes/write-in-slices.ts";
import type { Db } from "../../db/open.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import { createDeliveryReads } from "./delivery-reads.ts";
import { createDeliveryStates } from "./delivery-states.ts";

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** The outbox of webhooks: each event once, its delivery to each subscription until it has arrived, and the log of attempts. */
export function createDeliveryStore(db: Db) {
  return { ...createDeliveryQueue(db), ...createDeliveryStates(db), ...createDeliveryReads(db), ...createAging(db) };
}

/** Ages and prunes deliveries. */
function createAging(db: Db) {
  const keepAges = ["state = 'pending'", "state <> 'pending'"].map((some) =>
    db.prepare<ClockSet>(`UPDATE webhook_deliveries SET created_at = created_at + @byMs WHERE ${some} AND ${IS_OLDER}`),
  );
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
    /** Moves the creation times with the clock. */
    keepAge: (set: ClockSet): void => keepAges.forEach((keepAge) => keepAge.run(set)),
    /**
     * Deletes settled deliveries created before a time, at most `SLICE_ROWS`, and never pending ones. The content of an event
     * is deleted with its last delivery. Returns how many deliveries.
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
