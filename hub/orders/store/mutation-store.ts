import type { HubMessageOf } from "@comanda/protocol";
import type { Db } from "../../db/open.ts";
import { sealWith, soundRow } from "../../db/integrity/sealed-tables.ts";

/** The answer to an applied mutation, without the request id. */
export type MutationAnswer = OrderAnswer | AnswerOf<"ITEM_STATE_ACK"> | AnswerOf<"TILL_ACK">;
export type OrderAnswer = AnswerOf<"ORDER_ACK">;

type AckType = "ORDER_ACK" | "ITEM_STATE_ACK" | "TILL_ACK";
type AnswerOf<T extends AckType> = Omit<HubMessageOf<T>, "type" | "requestId">;

export function isOfOrder(answer: MutationAnswer): answer is OrderAnswer {
  return !("productId" in answer) && !("tillId" in answer);
}

/** Returns the message that sends an answer to its terminal. */
export function ackOf(answer: MutationAnswer): HubMessageOf<AckType> {
  if ("productId" in answer) return { type: "ITEM_STATE_ACK", ...answer };
  if ("tillId" in answer) return { type: "TILL_ACK", ...answer };
  return { type: "ORDER_ACK", ...answer };
}

export type MutationStore = ReturnType<typeof createMutationStore>;

/** The newest answers are never pruned: with a clock that is a year ahead, all outboxes would otherwise be applied twice. */
const MIN_STORED = 10_000;

/**
 * Stores the answers to mutations, so that a mutation sent twice is applied once. The map from ids to rows is kept in memory:
 * mutation ids are random, so an index would write a separate page for each (a third of the pages of a busy commit, and
 * 18 of the 225 µs of a write). A week of a busy restaurant has about 35,000 ids, or 3 MiB.
 */
export function createMutationStore(db: Db, onDamage: (description: string) => void = () => {}) {
  const all = db.prepare<[], { id: number; mutationId: string }>("SELECT id, mutation_id AS mutationId FROM mutations");
  const get = db.prepare<[number], { digest: string; answer: string; isSound: 0 | 1 }>(
    `SELECT digest, answer, ${soundRow(db, "mutations")} AS isSound FROM mutations WHERE id = ?`,
  );
  const oldest = db.prepare<[], { at: number }>("SELECT at FROM mutations ORDER BY id LIMIT 1");
  const seal = sealWith(db, "mutations", {
    mutation_id: "@mutationId",
    digest: "@digest",
    answer: "@answer",
    at: "@at",
  });
  const insert = db.prepare<{ mutationId: string; digest: string; answer: string; at: number }>(
    `INSERT INTO mutations (mutation_id, digest, answer, at, seal) VALUES (@mutationId, @digest, @answer, @at, ${seal})`,
  );
  const prune = db.prepare<[number, number], { mutationId: string }>(`
    DELETE FROM mutations WHERE id IN (
      SELECT id FROM mutations WHERE at < ? AND id <= (SELECT max(id) FROM mutations) - ${MIN_STORED}
      ORDER BY id LIMIT ?)
    RETURNING mutation_id AS mutationId`);
  /** Read on first use, so that the start does not wait for it. */
  let rowIds: Map<string, number> | null = null;

  function rows(): Map<string, number> {
    rowIds ??= new Map(all.all().map(({ id, mutationId }) => [mutationId, id]));
    return rowIds;
  }

  return {
    /** Finds an answer; `digest` is null if the row is damaged: then it is only known that the mutation was applied. */
    find(mutationId: string): { digest: string | null; answer: MutationAnswer } | null {
      const id = rows().get(mutationId);
      const row = id === undefined ? undefined : get.get(id);
      if (row === undefined) return null;
      if (row.isSound === 1) return { digest: row.digest, answer: JSON.parse(row.answer) as MutationAnswer };
      onDamage("what a mutation was answered with does not match its seal");
      return { digest: null, answer: { mutationId } };
    },
    remember(mutationId: string, digest: string, answer: MutationAnswer, at: number): void {
      const { lastInsertRowid } = insert.run({ mutationId, digest, answer: JSON.stringify(answer), at });
      rows().set(mutationId, Number(lastInsertRowid));
    },
    /** The time (ms since 1970) since which all answers are stored; Infinity if there are none. */
    reachesBackTo: (): number => oldest.get()?.at ?? Infinity,
    /** Deletes at most `limit` answers from before `before` (ms since 1970), except the newest MIN_STORED; returns how many. */
    prune(before: number, limit: number): number {
      const removed = prune.all(before, limit);
      for (const { mutationId } of removed) rowIds?.delete(mutationId);
      return removed.length;
    },
    /** Clears the map. Call this when writes were undone, since the map may be ahead of the data file. */
    readAgain: (): void => void (rowIds = null),
  };
}
