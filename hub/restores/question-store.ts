import type { Db } from "../db/open.ts";

/**
 * Why the back-office is asked about an order: it was `open` in the restored file, it was `waiting` to be forwarded there,
 * or its payment was `taken_over` from a loss.
 */
export type QuestionReason = "open" | "waiting" | "taken_over";

export type QuestionStore = ReturnType<typeof createQuestionStore>;

/** Stores the orders whose state must be looked up at the back-office, until the question is settled. */
export function createQuestionStore(db: Db) {
  const listUnanswered = db.prepare<[number], { posReference: string; why: QuestionReason }>(`
    SELECT pos_reference AS posReference, why FROM lookup_questions WHERE answered_at IS NULL
    ORDER BY pos_reference LIMIT ?`);
  const count = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM lookup_questions WHERE answered_at IS NULL");
  const get = db.prepare<[string], { why: QuestionReason }>("SELECT why FROM lookup_questions WHERE pos_reference = ?");
  const insert = db.prepare<[string, QuestionReason]>(
    "INSERT OR REPLACE INTO lookup_questions (pos_reference, why) VALUES (?, ?)",
  );
  const answer = db.prepare<[number, string]>("UPDATE lookup_questions SET answered_at = ? WHERE pos_reference = ?");
  const remove = db.prepare<[string]>("DELETE FROM lookup_questions WHERE pos_reference = ?");

  return {
    listUnanswered: (limit: number): { posReference: string; why: QuestionReason }[] => listUnanswered.all(limit),
    countUnanswered: (): number => count.get()?.n ?? 0,
    findReason: (posReference: string): QuestionReason | null => get.get(posReference)?.why ?? null,
    ask: (posReference: string, reason: QuestionReason): void => void insert.run(posReference, reason),
    /** Records that the back-office has answered. The question stays open. */
    noteAnswer: (posReference: string, at: number): void => void answer.run(at, posReference),
    settle: (posReference: string): void => void remove.run(posReference),
  };
}
