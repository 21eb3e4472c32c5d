import { DAY_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { createMemory, type Memory } from "../db/remembered.ts";
import type { HubConfig } from "../settings/config.ts";
import type { Counters } from "./counter-history.ts";
import { createPacker, packing } from "./pack-orders.ts";
import { createTicketPacker } from "./pack-tickets.ts";
import { createTicketSettler } from "./settle-tickets.ts";

/** Before which time (ms since 1970) something is old enough, and the hub's counters at that time. */
interface Cutoff {
  before: number;
  counters: Counters;
}

interface Cutoffs {
  /** Packing loses nothing, so that the stamps of rows are enough. */
  packBefore: number;
  /** Its stamps alone would do for packing; a `delta` cannot go back behind it. */
  settle: Cutoff;
  /** Terminals that were not seen since are forgotten. */
  unseenBefore: number;
  thin: Cutoff;
  remove: Cutoff;
}

/** What is old enough at `now`. */
export function retentionCutoffs(
  now: number,
  days: HubConfig["retention"],
  countersAt: (time: number) => Counters,
): Cutoffs {
  const cutoff = (age: number): Cutoff => ({ before: now - age * DAY_MS, counters: countersAt(now - age * DAY_MS) });
  // For a day a finished order may still be looked at and printed again.
  const unseenBefore = now - Math.min(UNSEEN_DAYS, days.retentionDays) * DAY_MS;
  const settle = cutoff(Math.min(SETTLED_DAYS, days.historyDays));
  return {
    packBefore: now - DAY_MS,
    settle,
    unseenBefore,
    thin: cutoff(days.historyDays),
    remove: cutoff(days.retentionDays),
  };
}

/** What one step did with an order, or with a few rows of something else. */
export type TidyAction = "packed" | "settled" | "thinned" | "removed" | "kept" | "forgotten";

/** An order, or the mark of a discarded one. */
interface FinishedOrder {
  posReference: string;
  id: number;
  at: number;
  seq: number;
  status: string;
  packing: number;
}

/** By then a terminal that was away gets everything again anyway, and no kitchen works on a check any more. */
const SETTLED_DAYS = 7;
/** A terminal that was not seen for so long is admitted as a new one when it comes back. */
const UNSEEN_DAYS = 30;
/** Candidates that are read at once, so that none is read twice while they are worked on. */
const PAGE = 50;
/** Rows that one step deletes. */
const ROWS = 100;
const BEGINNING = { at: Number.MIN_SAFE_INTEGER, posReference: "" };

/** Remembers the time before which takings were removed. */
const TAKINGS_KEPT = "takingsKeptSince";

/** From when on takings are kept, ms since 1970; null where none were removed yet. */
export function takingsKeptSince(memory: Pick<Memory, "read">): number | null {
  return memory.read(TAKINGS_KEPT)?.at ?? null;
}

/** Both kinds of orders, and the columns that say since when they are finished. */
const KINDS = [
  { table: "orders", id: "body_id", at: "updated_at", status: "status", where: "is_active = 0" },
  { table: "removed_orders", id: "last_id", at: "removed_at", status: "'discarded'", where: "TRUE" },
] as const;

/**
 * Packs, thins and removes what is old enough in small steps: each `next()` takes one, in the caller's transaction. Nothing
 * is remembered of earlier steps, so one that was rolled back is left to the next run.
 */
export function createTidying(db: Db, isConnected: (terminalId: string) => boolean = () => false) {
  const packer = createPacker(db);
  const ticketPacker = createTicketPacker(db);
  const settler = createTicketSettler(db);
  const kinds = KINDS.map((kind) => prepareKind(db, kind));
  const raiseLowWater = db.prepare<[number]>("UPDATE hub_state SET low_water_seq = max(low_water_seq, ?)");
  // Open payments and losses keep an order, and so do those settled lately, as evidence.
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
  // A ticket is kept as long as one of its orders.
  const ticketsOf = db.prepare<[string], { ticketId: string; seq: number }>(`
    SELECT t.ticket_id AS ticketId, t.seq FROM ticket_orders o JOIN tickets t ON t.ticket_id = o.ticket_id
    WHERE o.pos_reference = ? AND t.is_over = 1`);
  const forgetOld = [
    `DELETE FROM unapplied_payments WHERE id IN (
      SELECT id FROM unapplied_payments WHERE settled_at < @before AND at < @before AND id <= @paymentId LIMIT ${ROWS})`,
    `DELETE FROM kept_changes WHERE id IN (
      SELECT id FROM kept_changes WHERE settled_at < @before AND at < @before AND id <= @keptChangeId LIMIT ${ROWS})`,
    `DELETE FROM losses WHERE id IN (
      SELECT id FROM losses WHERE (settled_at < @before OR state = 'noted') AND found_at < @before AND id <= @lossId
      LIMIT ${ROWS})`,
    `DELETE FROM lookup_questions WHERE pos_reference IN (
      SELECT pos_reference FROM lookup_questions WHERE answered_at < @before LIMIT ${ROWS})`,
    // These lie in the order of their time.
    ...["till_money", "shift_events"].map(
      (table) => `DELETE FROM ${table} WHERE id IN (
        SELECT id FROM (SELECT id, at FROM ${table} ORDER BY id LIMIT ${ROWS}) WHERE at < @before)`,
    ),
    `DELETE FROM shifts WHERE shift_id IN (
      SELECT shift_id FROM shifts WHERE opened_at < @before AND closed_at < @before LIMIT ${ROWS})`,
  ].map((sql) => db.prepare<{ before: number } & Counters>(sql));
  const forgetTakings = db.prepare<[number]>(`
    DELETE FROM takings WHERE (at, pos_reference) IN (
      SELECT at, pos_reference FROM takings WHERE at < ? ORDER BY at LIMIT ${ROWS})`);
  const memory = createMemory(db);
  // Whoever wants a receipt again has its check, of which another is made.
  const forgetPrinted = db.prepare<[number]>(`
    DELETE FROM print_jobs WHERE id IN (
      SELECT id FROM print_jobs INDEXED BY print_job_finished
      WHERE state NOT IN ('held', 'waiting', 'printing') AND created_at < ? LIMIT ${ROWS})`);
  const auditPage = db.prepare<{ after: number } & Counters, { id: number; at: number }>(
    `SELECT id, at FROM audit_log WHERE id > @after AND id <= @auditId ORDER BY id LIMIT ${ROWS}`,
  );
  const deleteAudit = db.prepare<[number]>("DELETE FROM audit_log WHERE id = ?");
  const tombstones = db.prepare<{ before: number } & Counters, { pluginId: string; key: string; seq: number }>(`
    SELECT plugin_id AS pluginId, key, seq FROM plugin_records
    WHERE is_removed = 1 AND updated_at < @before AND seq <= @seq LIMIT ${ROWS}`);
  const deleteRecord = db.prepare<{ pluginId: string; key: string }>(
    "DELETE FROM plugin_records WHERE plugin_id = @pluginId AND key = @key",
  );
  // One that holds payments stays until a manager forgets it.
  // A terminal that was seen before it was first seen was seen by a wrong clock.
  const unseen = db.prepare<[number], { terminalId: string }>(
    `SELECT terminal_id AS terminalId FROM terminals WHERE last_seen_at < ? AND last_seen_at >= first_seen_at
      AND coalesce(outbox_payments, 0) = 0`,
  );
  const deleteTerminal = db.prepare<[string]>("DELETE FROM terminals WHERE terminal_id = ?");

  type Kind = (typeof kinds)[number];

  function isHeld({ posReference, status }: FinishedOrder, { before, counters }: Cutoff): boolean {
    if (holds.some((hold) => hold.get({ ...counters, posReference, before }) !== undefined)) return true;
    return status === "paid" && wasForwarded.get(posReference) === undefined;
  }

  function removeOrder(kind: Kind, order: FinishedOrder): void {
    const { posReference, id, seq } = order;
    for (const statement of removeTraces) statement.run(posReference);
    settler.release(posReference, ticketsOf.all(posReference));
    settler.moved(packer.ticketsOf(id), id, null);
    kind.remove.run(posReference);
    packer.remove(id);
    // A terminal that is behind this change would never get it, so it gets everything again.
    raiseLowWater.run(seq);
  }

  /** Packs an order with its tickets that are ripe, and with no more versions than thinning leaves if `thins`. */
  function settle(kind: Kind, order: FinishedOrder, { before, counters }: Cutoff, thins: boolean): TidyAction {
    const { posReference, id } = order;
    const isThinned = thins || order.packing === packing.thinned || order.packing === packing.settledThinned;
    const ripe = settler.ripe(posReference, { before, seq: Math.min(counters.seq, settler.newestSettled()) });
    // One that waits for a ticket which is not ripe has nothing new to be packed.
    if (!thins && ripe.length === 0 && settler.hasOthers(posReference)) return "kept";
    const now = packer.settle(id, ripe, isThinned);
    if (now !== null) {
      settler.moved(now.tickets, id, now.id);
      settler.release(posReference, ripe);
      kind.setId.run(now.id, posReference);
    }
    const isSettled = now !== null && !settler.hasOthers(posReference);
    kind.setPacking.run(packingOf(isSettled, isThinned), posReference);
    return thins ? "thinned" : isSettled ? "settled" : "kept";
  }

  function* forget({ before, counters }: Cutoff, unseenBefore: number): Generator<TidyAction> {
    for (const statement of forgetOld) {
      while (statement.run({ ...counters, before }).changes > 0) yield "forgotten";
    }
    while (forgetTakings.run(before).changes > 0) {
      memory.write(TAKINGS_KEPT, true, before);
      yield "forgotten";
    }
    while (forgetPrinted.run(unseenBefore).changes > 0) yield "forgotten";
    for (let after = 0; ;) {
      const page = auditPage.all({ ...counters, after });
      const old = page.filter((entry) => entry.at < before);
      // Entries are in the order of their time: after a page of younger ones there are none.
      if (old.length === 0) break;
      for (const { id } of old) deleteAudit.run(id);
      after = page.at(-1)?.id ?? after;
      yield "forgotten";
    }
    for (;;) {
      const removed = tombstones.all({ ...counters, before });
      if (removed.length === 0) break;
      for (const { seq, ...record } of removed) {
        deleteRecord.run(record);
        raiseLowWater.run(seq);
      }
      yield "forgotten";
    }
    for (const { terminalId } of unseen.all(unseenBefore)) if (!isConnected(terminalId)) deleteTerminal.run(terminalId);
  }

  /** Orders of a kind that were finished before a time and are stored in one of these ways; each is read again in its turn. */
  function* finishedOrders(kind: Kind, stored: readonly number[], before: number): Generator<FinishedOrder> {
    for (const state of stored) {
      for (let after = BEGINNING; ;) {
        const page = kind.page.all({ ...after, state, before });
        for (const { posReference } of page) {
          const order = kind.get.get({ posReference, state, before });
          if (order !== undefined) yield order;
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        after = last;
      }
    }
  }

  return function* tidy({ packBefore, settle: rest, unseenBefore, thin, remove }: Cutoffs): Generator<TidyAction> {
    const { asWritten, packed, thinned, settled, settledThinned } = packing;
    for (const kind of kinds) {
      const any = [settledThinned, settled, thinned, packed, asWritten];
      for (const order of finishedOrders(kind, any, remove.before)) {
        const isOld = order.seq <= remove.counters.seq && !isHeld(order, remove);
        if (isOld) removeOrder(kind, order);
        yield isOld ? "removed" : "kept";
      }
      for (const order of finishedOrders(kind, [settled, packed, asWritten], thin.before)) {
        yield order.seq <= thin.counters.seq ? settle(kind, order, rest, true) : "kept";
      }
      for (const order of finishedOrders(kind, [thinned, packed], rest.before)) {
        yield order.seq <= rest.counters.seq ? settle(kind, order, rest, false) : "kept";
      }
      for (const order of finishedOrders(kind, [asWritten], packBefore)) {
        const now = packer.pack(order.id);
        if (now !== null) settler.moved(now.tickets, order.id, now.id);
        kind.setPacking.run(packed, order.posReference);
        yield "packed";
      }
    }
    while (ticketPacker.packSome(packBefore)) yield "packed";
    yield* forget(remove, unseenBefore);
  };
}

function packingOf(isSettled: boolean, isThinned: boolean): number {
  if (isThinned) return isSettled ? packing.settledThinned : packing.thinned;
  return isSettled ? packing.settled : packing.packed;
}

function prepareKind(db: Db, { table, id, at, status, where }: (typeof KINDS)[number]) {
  return {
    page: db.prepare<{ at: number; posReference: string; state: number; before: number }, FinishedOrder>(`
      SELECT pos_reference AS posReference, ${at} AS at FROM ${table}
      WHERE ${where} AND packing = @state AND ${at} < @before AND (${at}, pos_reference) > (@at, @posReference)
      ORDER BY ${at}, pos_reference LIMIT ${PAGE}`),
    get: db.prepare<{ posReference: string; state: number; before: number }, FinishedOrder>(`
      SELECT pos_reference AS posReference, ${id} AS id, ${at} AS at, seq, ${status} AS status, packing FROM ${table}
      WHERE pos_reference = @posReference AND ${where} AND packing = @state AND ${at} < @before`),
    setId: db.prepare<[number, string]>(`UPDATE ${table} SET ${id} = ? WHERE pos_reference = ?`),
    setPacking: db.prepare<[number, string]>(`UPDATE ${table} SET packing = ? WHERE pos_reference = ?`),
    remove: db.prepare<[string]>(`DELETE FROM ${table} WHERE pos_reference = ?`),
  };
}
