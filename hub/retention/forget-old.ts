import type { Db } from "../db/open.ts";
import { createMemory, type Memory } from "../db/remembered.ts";
import type { Counters } from "./counter-history.ts";
import type { Cutoff } from "./cutoffs.ts";

/** Rows deleted per step. */
const ROWS = 100;

/** Memory key for the time before which takings were removed. */
const MEMORY = "takingsKeptSince";

/** Returns since when takings are kept, ms since 1970, or null if none were removed yet. */
export function takingsSince(memory: Pick<Memory, "read">): number | null {
  return memory.read(MEMORY)?.at ?? null;
}

/** Deletes old rows that belong to no order, a few per step. */
export function createForgetting(
  db: Db,
  {
    isConnected,
    raiseLowWater,
  }: { isConnected: (terminalId: string) => boolean; raiseLowWater: (seq: number) => void },
) {
  const forgetOld = [
    `DELETE FROM unapplied_payments WHERE id IN (
      SELECT id FROM unapplied_payments WHERE settled_at < @before AND at < @before AND id <= @paymentId LIMIT ${ROWS})`,
    `DELETE FROM kept_changes WHERE id IN (
      SELECT id FROM kept_changes WHERE settled_at < @before AND at < @before AND id <= @keptChangeId LIMIT ${ROWS})`,
    `DELETE FROM losses WHERE id IN (
      SELECT id FROM losses WHERE (settled_at < @before OR state = 'noted') AND found_at < @before AND id <= @lossId
      LIMIT ${ROWS})`,
    `DELETE FROM chain_proposals WHERE rank IN (
      SELECT rank FROM chain_proposals WHERE is_open = 0 AND since < @before LIMIT ${ROWS})`,
    `DELETE FROM lookup_questions WHERE pos_reference IN (
      SELECT pos_reference FROM lookup_questions WHERE answered_at < @before LIMIT ${ROWS})`,
    // These tables are in order of time.
    ...Object.entries({ till_money: "moneyId", shift_events: "shiftEventId", chain_facts: "chainFactId" }).map(
      ([table, newest]) => `DELETE FROM ${table} WHERE id IN (
        SELECT id FROM (SELECT id, at FROM ${table} WHERE id <= @${newest} ORDER BY id LIMIT ${ROWS}) WHERE at < @before)`,
    ),
    // A shift is as old as its counts.
    `DELETE FROM shifts WHERE shift_id IN (
      SELECT shift_id FROM shifts WHERE opened_at < @before AND closed_at < @before
        AND NOT EXISTS (SELECT 1 FROM shift_events e WHERE e.shift_id = shifts.shift_id) LIMIT ${ROWS})`,
  ].map((sql) => db.prepare<{ before: number } & Counters>(sql));
  // Takings are deleted with their checks.
  const forgetTakings = db.prepare<[number]>(`
    DELETE FROM takings WHERE (at, pos_reference) IN (
      SELECT at, pos_reference FROM takings WHERE at < ?
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.pos_reference = takings.pos_reference) ORDER BY at LIMIT ${ROWS})`);
  const memory = createMemory(db);
  // Receipts can be printed again from their checks.
  const forgetPrinted = db.prepare<{ before: number } & Counters>(`
    DELETE FROM print_jobs WHERE id IN (
      SELECT id FROM print_jobs INDEXED BY print_job_finished
      WHERE state NOT IN ('held', 'waiting', 'printing') AND created_at < @before AND id <= @printJobId
      LIMIT ${ROWS})`);
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
  // Terminals that hold payments stay until a manager deletes them. If a terminal was last seen before it was first seen, a
  // wrong clock set one of the times.
  const idleTerminals = db.prepare<[number], { terminalId: string }>(
    `SELECT terminal_id AS terminalId FROM terminals WHERE last_seen_at < ? AND last_seen_at >= first_seen_at
      AND coalesce(outbox_payments, 0) = 0`,
  );
  const deleteTerminal = db.prepare<[string]>("DELETE FROM terminals WHERE terminal_id = ?");

  return forget;

  function* forget({ before, counters }: Cutoff, unseen: Cutoff): Generator<"forgotten"> {
    for (const statement of forgetOld) {
      while (statement.run({ ...counters, before }).changes > 0) yield "forgotten";
    }
    while (forgetTakings.run(before).changes > 0) {
      memory.write(MEMORY, true, before);
      yield "forgotten";
    }
    while (forgetPrinted.run({ ...unseen.counters, before: unseen.before }).changes > 0) yield "forgotten";
    for (let after = 0; ;) {
      const page = auditPage.all({ ...counters, after });
      const old = page.filter((entry) => entry.at < before);
      // Entries are in order of time: after a page without old ones there are no more.
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
        raiseLowWater(seq);
      }
      yield "forgotten";
    }
    for (const { terminalId } of idleTerminals.all(unseen.before)) {
      if (!isConnected(terminalId)) deleteTerminal.run(terminalId);
    }
  }
}
