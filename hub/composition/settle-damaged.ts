import { sentence, type StoredOrder } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { noteReceipt } from "../fiscal/receipt-rows.ts";
import type { Db } from "../db/open.ts";
import { brokenMarks, sealedColumns, sealOf, soundRow } from "../db/integrity/sealed-tables.ts";
import { sentenceColumn } from "../db/rows/sentence-column.ts";
import { FINALIZE_EVENT } from "../forwarding/event-store.ts";
import type { World } from "../platform/world.ts";
import type { Stores } from "../stores/create-stores.ts";

const DAMAGED = sentenceColumn(sentence("order_damaged"));

/**
 * Repairs damaged rows on which other work waits. Events for the back-office and requests for fiscal numbers are made again
 * from their order, which has its own checksum. A ticket of which only the flag is wrong is corrected. What cannot be made
 * again is shown to a manager.
 */
export function createDamageSettler(
  deps: Pick<Stores, "watch" | "changes" | "orders" | "fiscalRequests"> & { world: World; db: Db },
): () => Promise<void> {
  const { world, db, watch, changes, orders, fiscalRequests } = deps;
  const isSound = (table: string): string => soundRow(db, table);
  const events = db.prepare<[], { id: number; posReference: string }>(`
    SELECT id, pos_reference AS posReference FROM hub_events
    WHERE NOT ${isSound("hub_events")}
      AND (forwarded = 0 OR pos_reference IN (SELECT pos_reference FROM orders WHERE status = 'paid'))`);
  const remake = db.prepare<Record<string, unknown>>(`
    UPDATE hub_events SET type = '${FINALIZE_EVENT}', version = @version, is_held = @isHeld, forwarded = @forwarded, is_alone = 1, seal = NULL,
      state = CASE WHEN @forwarded = 1 THEN 'done' WHEN state = 'pending' THEN 'pending' ELSE 'attention' END
    WHERE id = @id`);
  const show = db.prepare<{ id: number; error: string }>(`
    UPDATE hub_events SET state = 'attention', is_held = 0, forwarded = 0, is_alone = 1, next_attempt_at = NULL,
      set_aside_until = NULL, error = @error, error_code = NULL
    WHERE id = @id`);
  const requests = db.prepare<[], { posReference: string }>(`
    SELECT pos_reference AS posReference FROM fiscal_requests WHERE NOT ${isSound("fiscal_requests")}
    UNION SELECT pos_reference FROM hub_events
    WHERE forwarded = 0 AND is_held = 1 AND pos_reference NOT IN (SELECT pos_reference FROM fiscal_requests)`);
  const columns = sealedColumns(db).get("tickets") ?? [];
  const asOther = sealOf(columns).replace('"is_over"', '1 - "is_over"');
  const tickets = db.prepare<[], { id: number }>(`
    SELECT id FROM tickets WHERE packed IS NULL AND NOT ${isSound("tickets")} AND seal IS ${asOther}`);
  const restamp = db.prepare<{ id: number; seq: number }>(
    "UPDATE tickets SET is_over = 1 - is_over, seq = @seq, seal = NULL WHERE id = @id",
  );

  function orderOf(posReference: string): StoredOrder | null {
    try {
      return orders.get(posReference);
    } catch {
      return null;
    }
  }

  function settleEvent(id: number, order: StoredOrder | null): void {
    const { status, fiscal } = order?.snapshot ?? { status: "open" };
    if (order === null || (status !== "paid" && status !== "closed")) return void show.run({ id, error: DAMAGED });
    const isHeld = fiscal?.status === "pending" || fiscal?.status === "failed" ? 1 : 0;
    remake.run({ id, version: order.version, isHeld, forwarded: status === "closed" ? 1 : 0 });
  }

  function settleRequest(tx: Tx, posReference: string, order: StoredOrder | null): void {
    const { fiscal } = order?.snapshot ?? {};
    if (fiscal?.status === "pending" || fiscal?.status === "failed") {
      fiscalRequests.add(tx, posReference, fiscal.type ?? "", fiscal.rnc ?? null);
    } else if (order !== null) {
      fiscalRequests.remove(tx, posReference);
      noteReceipt(fiscalRequests, tx, order);
    }
  }

  return async function settle(): Promise<void> {
    await changes
      .write((tx) => {
        const found = { events: events.all(), tickets: tickets.all() };
        for (const { id, posReference } of found.events) settleEvent(id, orderOf(posReference));
        for (const { posReference } of requests.all()) settleRequest(tx, posReference, orderOf(posReference));
        for (const { id } of found.tickets) restamp.run({ id, seq: tx.nextSeq() });
        if (found.events.length + found.tickets.length === 0) return;
        const counts = `${found.events.length} events and ${found.tickets.length} tickets were damaged`;
        // The new rows are sound, but the disk may still be failing.
        watch.reportForgotten(`${counts}; they were made again, or are shown`);
        tx.notify(["forward", "fiscal"]);
      })
      // Known damage must not make later backups count as bad.
      .then(async () => {
        for (const mark of brokenMarks(db)) await changes.write(mark);
      })
      .catch((error: unknown) => world.log.error({ err: error }, "damaged rows could not be settled"));
  };
}
