import type { Refund } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { COUNTED_SESSION } from "../db/rows/counted-session.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { readRow } from "../db/rows/read-row.ts";

export interface StoredRefund {
  posReference: string;
  refund: Refund;
  /** Whether the request asked for all that was left, without naming lines. */
  asksAll: boolean;
  /** Whether the back-office was asked and did not answer, or the hub ended before it did. */
  isInDoubt: boolean;
}

interface Row {
  posReference: string;
  asksAll: 0 | 1;
  body: string;
  isInDoubt: 0 | 1;
}

export type RefundStore = ReturnType<typeof createRefundStore>;

/** Refunds of paid checks. Each is stored before the back-office is asked, so that none is made twice or lost. */
export function createRefundStore(db: Db) {
  const COLUMNS = "pos_reference AS posReference, asks_all AS asksAll, body, is_in_doubt AS isInDoubt";
  const get = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM refunds WHERE refund_id = ?`);
  const listByOrder = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM refunds WHERE pos_reference = ? ORDER BY at`);
  const listUnsettled = db.prepare<[], Row>(`
    SELECT ${COLUMNS} FROM refunds INDEXED BY refund_pending WHERE state = 'pending' AND is_in_doubt = 0`);
  const listBySession = db.prepare<[string], Row>(`
    SELECT ${COLUMNS} FROM refunds INDEXED BY refund_by_session WHERE session = ? AND made_at IS NOT NULL`);
  const listInContingency = db.prepare<[], Row>(`
    SELECT ${COLUMNS} FROM refunds INDEXED BY refund_in_contingency WHERE in_contingency = 1 ORDER BY made_at`);
  const noteContingency = db.prepare<[0 | 1, string]>("UPDATE refunds SET in_contingency = ? WHERE refund_id = ?");
  const save = db.prepare<Row & { refundId: string; state: Refund["state"]; at: number; madeAt: number | null }>(`
    INSERT INTO refunds (refund_id, pos_reference, state, is_in_doubt, asks_all, body, at, made_at, session)
    VALUES (@refundId, @posReference, @state, @isInDoubt, @asksAll, @body, @at, @madeAt,
      CASE WHEN @madeAt IS NOT NULL THEN ${COUNTED_SESSION} END)
    ON CONFLICT (refund_id) DO UPDATE SET
      state = excluded.state, is_in_doubt = excluded.is_in_doubt, body = excluded.body, made_at = excluded.made_at,
      session = coalesce(session, excluded.session), seal = NULL`);
  const remove = db.prepare<[string]>("DELETE FROM refunds WHERE refund_id = ?");

  return {
    find: (refundId: string): StoredRefund | null => readRow(get.get(refundId), read),
    /** Oldest first. */
    listByOrder: (posReference: string): Refund[] => listByOrder.all(posReference).map((row) => read(row).refund),
    /** Pending refunds that are not marked as in doubt: the hub ended before their answer. */
    listUnsettled: (): StoredRefund[] => listUnsettled.all().map(read),
    /** Refunds whose notes were made in a POS session. */
    listBySession: (session: string): Refund[] => listBySession.all(session).map((row) => read(row).refund),
    /** Refunds whose notes on paper stand in for electronic ones, oldest first. */
    listInContingency: (): StoredRefund[] => listInContingency.all().map(read),
    /** Sets whether an electronic note has to replace the refund's note. */
    noteContingency: (_tx: Tx, refundId: string, isOpen: boolean): void =>
      void noteContingency.run(isOpen ? 1 : 0, refundId),

    save(_tx: Tx, { posReference, refund, asksAll, isInDoubt }: StoredRefund): void {
      const { refundId, state, at, madeAt } = refund;
      save.run({
        refundId,
        posReference,
        state,
        isInDoubt: isInDoubt ? 1 : 0,
        asksAll: asksAll ? 1 : 0,
        body: JSON.stringify(refund),
        at: Date.parse(at),
        madeAt: madeAt === undefined ? null : Date.parse(madeAt),
      });
    },
    /** Removes a refund for which the back-office has made no note. */
    remove: (_tx: Tx, refundId: string): void => void remove.run(refundId),
  };
}

function read({ posReference, asksAll, body, isInDoubt }: Row): StoredRefund {
  const refund = parseColumn<Refund | null>(body, null);
  if (refund === null) throw new Error(`a refund of ${posReference} cannot be read`);
  return { posReference, refund, asksAll: asksAll === 1, isInDoubt: isInDoubt === 1 };
}
