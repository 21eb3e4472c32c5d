import type { OrderMutation, Sentence } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";
import { readSentenceOrNull, sentenceColumn } from "../../db/rows/sentence-column.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import { readRow } from "../../db/rows/read-row.ts";

/** The decision of a manager, or of the author, on a kept change. */
export type ChangeDecision = "applied" | "dismissed";

/** A change that came from a terminal with a revoked token. */
export interface KeptChange {
  id: number;
  /** In lower case; `mutation` contains the id as it was sent. */
  mutationId: string;
  /** Digest of the mutation's content; null if the row is damaged. */
  digest: string | null;
  terminalId: string;
  /** The user of the revoked token. */
  userName: string;
  error: string;
  /** The mutation without tokens; null if the row is damaged. */
  mutation: OrderMutation | null;
  /** When the terminal queued the change, ms since 1970; null if unknown. */
  queuedAt: number | null;
  at: number;
  settledAt: number | null;
  settledHow: ChangeDecision | null;
  settledBy: string | null;
  settledNote: Sentence | null;
}

interface Row extends Omit<KeptChange, "mutation" | "digest" | "settledNote"> {
  digest: string;
  settledNote: string | null;
  body: string;
  isSound: 0 | 1;
}

export type KeptChangeStore = ReturnType<typeof createKeptChangeStore>;

/**
 * Stores changes that were refused because their token was revoked, with the decisions on them. `onDamage` is called for a row
 * that does not match its seal; such a change is still listed but cannot be applied.
 */
export function createKeptChangeStore(db: Db, onDamage: (description: string) => void) {
  const COLUMNS = `
    id, mutation_id AS mutationId, digest, terminal_id AS terminalId, user_name AS userName, error, body,
    queued_at AS queuedAt, at, settled_at AS settledAt, settled_how AS settledHow, settled_by AS settledBy,
    settled_note AS settledNote, ${soundRow(db, "kept_changes")} AS isSound`;
  const allIds = db.prepare<[], string>("SELECT mutation_id FROM kept_changes").pluck();
  const insert = db.prepare<Record<string, unknown>>(`
    INSERT INTO kept_changes (mutation_id, digest, terminal_id, user_name, error, body, queued_at, at)
    VALUES (@mutationId, @digest, @terminalId, @userName, @error, @body, @queuedAt, @at)`);
  const findByMutation = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM kept_changes WHERE mutation_id = ?`);
  const get = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM kept_changes WHERE id = ?`);
  const countOpen = db
    .prepare<[], number>("SELECT count(*) FROM kept_changes INDEXED BY kept_change_open WHERE settled_at IS NULL")
    .pluck();
  const countOpenByTerminal = db
    .prepare<[string], number>(`
      SELECT count(*) FROM kept_changes INDEXED BY kept_change_open WHERE settled_at IS NULL AND terminal_id = ?`)
    .pluck();
  const listOpen = db.prepare<{ above: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM kept_changes INDEXED BY kept_change_open
    WHERE settled_at IS NULL AND id > @above ORDER BY id LIMIT @limit`);
  const countSettled = db.prepare<[], number>("SELECT count(*) FROM kept_changes WHERE settled_at IS NOT NULL").pluck();
  const listSettled = db.prepare<{ below: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM kept_changes WHERE settled_at IS NOT NULL AND id < @below ORDER BY id DESC LIMIT @limit`);
  const settle = db.prepare<{ id: number; at: number; how: ChangeDecision; by: string; note: string | null }>(`
    UPDATE kept_changes SET settled_at = @at, settled_how = @how, settled_by = @by, settled_note = @note
    WHERE id = @id AND settled_at IS NULL`);
  /** All mutation ids, read on first use. Every mutation is looked up, and hardly any is in the table. */
  let ids: Set<string> | null = null;

  function isKnown(mutationId: string): boolean {
    ids ??= new Set(allIds.all());
    return ids.has(mutationId);
  }

  return {
    findByMutation: (mutationId: string): KeptChange | null =>
      isKnown(mutationId) ? readRow(findByMutation.get(mutationId), present) : null,
    save(
      tx: Tx,
      mutation: OrderMutation,
      about: { digest: string; terminalId: string; userName: string; error: string; queuedAt: number | null },
    ): void {
      const { actor: _, approval: __, requestId: ___, ...body } = mutation;
      const mutationId = mutation.mutationId.toLowerCase();
      insert.run({ ...about, mutationId, body: JSON.stringify(body), at: tx.now });
      ids?.add(mutationId);
      tx.onUndo(() => (ids = null));
    },
    get: (id: number): KeptChange | null => readRow(get.get(id), present),
    countOpen: (): number => countOpen.get() ?? 0,
    countOpenByTerminal: (terminalId: string): number => countOpenByTerminal.get(terminalId) ?? 0,
    /** Open changes above an id, oldest first. */
    listOpen: (above: number, limit: number): KeptChange[] => listOpen.all({ above, limit }).map(present),
    countSettled: (): number => countSettled.get() ?? 0,
    /** Settled changes below an id, newest first. */
    listSettled: (below: number, limit: number): KeptChange[] => listSettled.all({ below, limit }).map(present),
    /** Settles an open change. Does nothing if it is already settled. */
    settle(tx: Tx, id: number, { how, by, note }: { how: ChangeDecision; by: string; note: Sentence | null }): void {
      settle.run({ id, at: tx.now, how, by, note: note === null ? null : sentenceColumn(note) });
    },
  };

  function present({ body, isSound, settledNote, ...stored }: Row): KeptChange {
    const row = { ...stored, settledNote: readSentenceOrNull(settledNote) };
    if (isSound === 1) return { ...row, mutation: parseColumn<OrderMutation | null>(body, null) };
    onDamage("a change that is kept for a manager does not match its seal");
    return { ...row, digest: null, mutation: null };
  }
}
