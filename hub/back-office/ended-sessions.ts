import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import { createLoop } from "../platform/loop.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { World } from "../platform/world.ts";
import { BackOfficeError, type BackOfficeClient } from "./client.ts";

const RETRY_EVERY_MS = 60_000;
/** How long a sign-out waits for the back-office before it is answered without it. */
const DESTROY_WAIT_MS = 3_000;
/** No back-office keeps an unused session for longer. */
const KEPT_MS = 90 * 86_400_000;

/**
 * The sessions that were signed out at this hub and that the back-office has not ended yet: the hub refuses them whatever
 * the back-office says. The list is in the data file as digests. The tokens themselves, which are needed to end them
 * there, are kept in memory only: after a restart one is ended when it is next shown.
 */
export function createEndedSessions(deps: {
  world: World;
  time: TrustedTime;
  db: Db;
  changes: ChangeLog;
  client: BackOfficeClient;
}) {
  const { world, time, db, changes, client } = deps;
  const find = db.prepare<[string], object>("SELECT 1 FROM ended_sessions WHERE digest = ?");
  const insert = db.prepare<{ digest: string; at: number }>(
    "INSERT INTO ended_sessions (digest, ended_at) VALUES (@digest, @at) ON CONFLICT DO NOTHING",
  );
  const remove = db.prepare<[string]>("DELETE FROM ended_sessions WHERE digest = ?");
  const removeOld = db.prepare<[number]>("DELETE FROM ended_sessions WHERE ended_at < ?");
  const moveAll = db.prepare<[number]>("UPDATE ended_sessions SET ended_at = ended_at + ?");
  /** Tokens that the back-office has to end, by digest. */
  const untaken = new Map<string, string>();
  const loop = createLoop(world, "ended sessions", RETRY_EVERY_MS, endAll);

  async function endAll(): Promise<void> {
    await Promise.all([...untaken.keys()].map(endAtBackOffice));
  }

  /** Ends one at the back-office, which then refuses it by itself: the hub need not remember it any longer. */
  async function endAtBackOffice(digest: string): Promise<void> {
    const token = untaken.get(digest);
    if (token === undefined) return;
    try {
      await client.destroySession(token, { caller: { lane: "known", peer: "" }, timeoutMs: DESTROY_WAIT_MS });
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      if (error.kind !== "session_dead") return;
    }
    untaken.delete(digest);
    await changes
      .write(() => void remove.run(digest))
      .catch((error: unknown) => {
        // It stays on the list until it is too old: refused twice does no harm.
        world.log.error({ err: error }, "an ended session could not be taken off the list");
      });
  }

  return {
    has: (digest: string): boolean => untaken.has(digest) || find.get(digest) !== undefined,

    /** A session on the list was shown again: its token can be ended at the back-office now. */
    shown(digest: string, token: string): void {
      if (untaken.has(digest)) return;
      untaken.set(digest, token);
      loop.wake();
    },

    /**
     * Refuses these from now on, `alsoWrite` being part of the same write, and asks the back-office to end the tokens.
     * Answers whether it has ended all of them; otherwise that is tried until it has. Throws when neither the back-office
     * nor the data file has taken it: then the hub refuses them for as long as it runs.
     */
    async add(tokens: ReadonlyMap<string, string>, digests: Iterable<string>, alsoWrite: () => void): Promise<boolean> {
      for (const [digest, token] of tokens) untaken.set(digest, token);
      const at = time.latest();
      const stored = changes.write(() => {
        for (const digest of [...tokens.keys(), ...digests]) insert.run({ digest, at });
        alsoWrite();
      });
      const [written] = await Promise.allSettled([stored]);
      await Promise.all([...tokens.keys()].map(endAtBackOffice));
      const isTaken = [...tokens.keys()].every((digest) => !untaken.has(digest));
      if (written.status === "rejected" && !isTaken) throw written.reason;
      return isTaken;
    },

    start: loop.start,
    wake: loop.wake,
    stop: loop.stop,
    /** Forgets those that are too old; to be called inside a write. */
    prune: (): void => void removeOld.run(time.now() - KEPT_MS),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void moveAll.run(Math.round(byMs)),
  };
}
