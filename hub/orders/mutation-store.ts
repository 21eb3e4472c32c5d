import type { HubMessageOf } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

/** What a carried-out mutation was answered with, less the request it answered. */
export type MutationAnswer = Omit<HubMessageOf<"ORDER_ACK">, "type" | "requestId">;

export type MutationStore = ReturnType<typeof createMutationStore>;

/** Remembers what was carried out, so that a mutation sent twice takes effect once. */
export function createMutationStore(db: Db) {
  const get = db.prepare<[string], { digest: string; answer: string }>(
    "SELECT digest, answer FROM mutations WHERE mutation_id = ?",
  );
  const insert = db.prepare<{ mutationId: string; digest: string; answer: string; at: number }>(
    "INSERT INTO mutations (mutation_id, digest, answer, at) VALUES (@mutationId, @digest, @answer, @at)",
  );
  const prune = db.prepare<[number, number]>(`
    DELETE FROM mutations WHERE id IN (SELECT id FROM mutations WHERE at < ? ORDER BY id LIMIT ?)`);

  return {
    find(mutationId: string): { digest: string; answer: MutationAnswer } | null {
      const row = get.get(mutationId);
      return row === undefined ? null : { digest: row.digest, answer: JSON.parse(row.answer) as MutationAnswer };
    },
    remember(mutationId: string, digest: string, answer: MutationAnswer, at: number): void {
      insert.run({ mutationId, digest, answer: JSON.stringify(answer), at });
    },
    /** Forgets what was carried out before `before`, at most `most` of it; answers how many. */
    prune: (before: number, most: number): number => prune.run(before, most).changes,
  };
}
