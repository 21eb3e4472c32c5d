import type { Sentence } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { readSentenceOrNull } from "../db/rows/sentence-column.ts";

/** An attempt to forward an event, or a manager's decision to stop. `ms` is how long the back-office took. */
export interface ForwardAttempt {
  at: number;
  outcome: "finalized" | "duplicate" | "failed" | "refused" | "set_aside";
  /** Why the attempt failed, or the manager's note. */
  detail: Sentence | null;
  errorCode: string | null;
  ms: number;
}

interface StoredAttempt extends Omit<ForwardAttempt, "detail"> {
  detail: string | null;
}

export type AttemptLog = ReturnType<typeof createAttemptLog>;

/** Stores attempts to forward events. The successful attempt is stored in the row of the event. */
export function createAttemptLog(db: Db) {
  const insertAttempt = db.prepare<Omit<StoredAttempt, "outcome"> & { eventId: number; outcome: string }>(`
    INSERT INTO forward_attempts (event_id, at, outcome, detail, error_code, ms)
    VALUES (@eventId, @at, @outcome, @detail, @errorCode, @ms)`);
  const lastFailure = db.prepare<[], { at: number; detail: string | null }>(`
    SELECT at, detail FROM forward_attempts WHERE outcome IN ('failed', 'refused') ORDER BY id DESC LIMIT 1`);
  const attemptsOf = db.prepare<{ id: number }, StoredAttempt>(`
    SELECT at, outcome, detail, errorCode, ms FROM (
      SELECT id, at, outcome, detail, error_code AS errorCode, ms, 0 AS is_last FROM forward_attempts WHERE event_id = @id
      UNION ALL
      SELECT id, forwarded_at, done_outcome, NULL, NULL, done_ms, 1 FROM hub_events WHERE id = @id AND forwarded = 1)
    ORDER BY is_last, id`);

  return {
    add: (attempt: Omit<StoredAttempt, "outcome"> & { eventId: number; outcome: string }): void =>
      void insertAttempt.run(attempt),
    lastFailure(): { at: number; detail: Sentence } | null {
      const row = lastFailure.get();
      return row === undefined ? null : { at: row.at, detail: readSentenceOrNull(row.detail) ?? {} };
    },
    listByEvent: (id: number): ForwardAttempt[] =>
      attemptsOf.all({ id }).map((row) => ({ ...row, detail: readSentenceOrNull(row.detail) })),
  };
}
