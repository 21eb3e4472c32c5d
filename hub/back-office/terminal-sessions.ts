import { DAY_MS } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";

/** No back-office keeps an unused session for longer. */
const KEPT_MS = 90 * DAY_MS;
/** So many tokens of one person are known: those that were unused for longest give way. */
export const MAX_PER_PERSON = 1_000;

/**
 * The tokens that were given at terminals' sign-ins, as digests: what lies on a tablet must not administer the hub. One
 * that cannot be written down, on a full disk, is known for as long as the hub runs: nobody is kept from working.
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
    /** A session goes on, maybe with another token. */
    follow(digest: string, next: string, userId: number, at: number): void {
      if (!has(digest)) return;
      // Not with every request: days are what counts.
      if (next !== digest || Math.abs(at - (find.get(digest)?.usedAt ?? 0)) > DAY_MS) add(next, userId, at);
    },
    /** The tokens of a person that are too many. */
    excess: (userId: number): string[] => listExcess.all(userId),
    remove(digest: string): void {
      unwritten.delete(digest);
      remove.run(digest);
    },
    /** Removes what is too old; to be called inside a write. */
    prune: (now: number): void => void removeOld.run(now - KEPT_MS),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void moveAll.run(byMs),
  };
}
