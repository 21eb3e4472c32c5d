import { DAY_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";

/** No back-office keeps unused sessions longer than this. */
const RETENTION_MS = 90 * DAY_MS;
/** The maximum number of tokens per user. The least recently used are ended. */
export const MAX_PER_PERSON = 1_000;

/**
 * Stores digests of tokens that were issued at terminals' sign-ins, because a token on a tablet must not administer the hub.
 * A digest that cannot be stored (a full disk) is kept in memory, so that users can still sign in.
 */
export function createTerminalSessions(db: Db, { log }: World) {
  const find = db.prepare<[string], { userId: number; usedAt: number }>(
    "SELECT user_id AS userId, used_at AS usedAt FROM terminal_sessions WHERE digest = ?",
  );
  const save = db.prepare<{ digest: string; userId: number; at: number }>(`
    INSERT INTO terminal_sessions (digest, user_id, used_at) VALUES (@digest, @userId, @at)
    ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at`);
  const listExcess = db
    .prepare<[number], string>(
      `SELECT digest FROM terminal_sessions WHERE user_id = ? ORDER BY used_at DESC LIMIT -1 OFFSET ${MAX_PER_PERSON}`,
    )
    .pluck();
  const remove = db.prepare<[string]>("DELETE FROM terminal_sessions WHERE digest = ?");
  const removeOld = db.prepare<[number]>("DELETE FROM terminal_sessions WHERE used_at < ?");
  const moveAll = db.prepare<[number]>("UPDATE terminal_sessions SET used_at = used_at + ?");
  const unwritten = new Set<string>();

  const has = (digest: string): boolean => unwritten.has(digest) || find.get(digest) !== undefined;

  function add(digest: string, userId: number, at: number): void {
    try {
      save.run({ digest, userId, at });
    } catch (error) {
      unwritten.add(digest);
      log.error({ err: error }, "a terminal's session could not be written down");
    }
  }

  return {
    has,
    add,
    /** Notes the use of a session, whose token may have been rotated to `next`. */
    follow(digest: string, next: string, userId: number, at: number): void {
      if (!has(digest)) return;
      // Written at most once a day per token, not with every request.
      if (next !== digest || Math.abs(at - (find.get(digest)?.usedAt ?? 0)) > DAY_MS) add(next, userId, at);
    },
    /** The digests of a user's tokens beyond MAX_PER_PERSON. */
    excess: (userId: number): string[] => listExcess.all(userId),
    remove(digest: string): void {
      unwritten.delete(digest);
      remove.run(digest);
    },
    /** Removes old entries. Call this inside a write. */
    prune: (now: number): void => void removeOld.run(now - RETENTION_MS),
    /** Corrects the stored times by the error of the clock. */
    move: (byMs: number): void => void moveAll.run(byMs),
  };
}
