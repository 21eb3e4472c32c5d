import type { Db } from "../db/open.ts";
import type { Counters } from "./counter-history.ts";
import type { Cutoff } from "./cutoffs.ts";
import type { FinishedOrder, Kind } from "./finished-orders.ts";
import type { Packer } from "./pack-orders.ts";
import type { TicketSettler } from "./settle-tickets.ts";

/** Removes old orders with everything that belongs to them. */
export function createRemoval(
  db: Db,
  { packer, settler, raiseLowWater }: { packer: Packer; settler: TicketSettler; raiseLowWater: (seq: number) => void },
) {
  // Open payments and losses hold an order, and recently settled ones too, as evidence.
  const holds = [
    "SELECT 1 FROM hub_events WHERE pos_reference = @posReference AND forwarded = 0",
    `SELECT 1 FROM unapplied_payments WHERE pos_reference = @posReference
      AND (settled_at IS NULL OR settled_at >= @before OR id > @paymentId)`,
    `SELECT 1 FROM losses WHERE pos_reference = @posReference
      AND (state = 'open' OR coalesce(settled_at, found_at) >= @before OR id > @lossId)`,
    "SELECT 1 FROM lookup_questions WHERE pos_reference = @posReference AND answered_at IS NULL",
    "SELECT 1 FROM refunds WHERE pos_reference = @posReference AND state = 'pending'",
  ].map((sql) => db.prepare<{ posReference: string; before: number } & Counters>(`${sql} LIMIT 1`));
  const wasForwarded = db.prepare<[string]>(
    "SELECT 1 FROM hub_events WHERE pos_reference = ? AND forwarded = 1 LIMIT 1",
  );
  const removeTraces = [
    "DELETE FROM forward_attempts WHERE event_id IN (SELECT id FROM hub_events WHERE pos_reference = ?)",
    ...[
      "hub_events",
      "version_floors",
      "unapplied_payments",
      "payment_identities",
      "losses",
      "lookup_questions",
      "version_people",
      "refunds",
    ].map((table) => `DELETE FROM ${table} WHERE pos_reference = ?`),
  ].map((sql) => db.prepare<[string]>(sql));
  // A ticket is kept as long as one of its orders exists.
  const ticketsOf = db.prepare<[string], { ticketId: string; seq: number }>(`
    SELECT t.ticket_id AS ticketId, t.seq FROM ticket_orders o JOIN tickets t ON t.ticket_id = o.ticket_id
    WHERE o.pos_reference = ? AND t.is_over = 1`);

  return { isHeld, removeOrder };

  function isHeld({ posReference, status }: FinishedOrder, { before, counters }: Cutoff): boolean {
    if (holds.some((hold) => hold.get({ ...counters, posReference, before }) !== undefined)) return true;
    return status === "paid" && wasForwarded.get(posReference) === undefined;
  }

  function removeOrder(kind: Kind, order: FinishedOrder): void {
    const { posReference, id, seq } = order;
    for (const statement of removeTraces) statement.run(posReference);
    settler.release(posReference, ticketsOf.all(posReference));
    settler.moved(packer.ticketsOf(id), id, null);
    kind.remove(posReference);
    packer.remove(id);
    // A terminal behind this change would never receive it, so it must reload everything.
    raiseLowWater(seq);
  }
}
