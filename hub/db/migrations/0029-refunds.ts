import type { Database } from "better-sqlite3";

/**
 * What was given back of paid checks, each with its credit note: stored before the back-office is asked. `body` is the
 * refund (JSON), `asks_all` says that all that was left was asked for, without naming lines. Notes that were made before stood in the audit log alone, as a sentence.
 */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE refunds (
      refund_id TEXT PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'made')),
      is_in_doubt INTEGER NOT NULL DEFAULT 0 CHECK (is_in_doubt IN (0, 1)),
      asks_all INTEGER NOT NULL CHECK (asks_all IN (0, 1)),
      body TEXT NOT NULL,
      at INTEGER NOT NULL,
      made_at INTEGER
    ) STRICT;
    CREATE INDEX refund_by_order ON refunds (pos_reference);
    CREATE INDEX refund_by_time ON refunds (made_at) WHERE made_at IS NOT NULL;
    CREATE INDEX refund_pending ON refunds (refund_id) WHERE state = 'pending';
  `);
  moveNotes(db);
}

interface FormerNote {
  id: number;
  at: number;
  userName: string;
  posReference: string;
  detail: string;
}

function moveNotes(db: Database): void {
  const notes = db.prepare<[], FormerNote>(`
    SELECT id, at, user_name AS userName, subject AS posReference, detail FROM audit_log
    WHERE action = 'order.credit_note' AND subject IS NOT NULL AND detail IS NOT NULL`);
  const insert = db.prepare(`
    INSERT INTO refunds (refund_id, pos_reference, state, asks_all, body, at, made_at)
    VALUES (@refundId, @posReference, 'made', 1, @body, @at, @at)`);
  for (const { id, at, userName, posReference, detail } of notes.all()) {
    const [, ncf, total, , modifies] = /^([^,]+), (-?[\d.]+)(, modifies (.+))?$/.exec(detail) ?? [];
    if (ncf === undefined || !Number.isFinite(Number(total))) continue;
    const time = new Date(at).toISOString();
    const refund = {
      refundId: `audit-${id}`,
      state: "made",
      at: time,
      madeAt: time,
      by: userName,
      terminalId: "hub",
      reason: null,
      lines: [],
      isWhole: true,
      amount: Number(total),
      refund: [],
      ncf,
      ...(modifies !== undefined && { modifies }),
      total: Number(total),
    };
    insert.run({ refundId: refund.refundId, posReference, body: JSON.stringify(refund), at });
  }
}
