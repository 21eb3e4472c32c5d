import { DAY_MS } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Db } from "../db/open.ts";
import { createLoop } from "../platform/loop.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { World } from "../platform/world.ts";
import { BackOfficeError } from "./back-office-error.ts";
import type { BackOfficeClient } from "./client.ts";

const RETRY_EVERY_MS = 60_000;
/** How long a sign-out waits for the back-office before it is answered without it. */
const DESTROY_WAIT_MS = 3_000;
/** No back-office keeps an unused session for longer. */
const KEPT_MS = 90 * DAY_MS;

/**
 * The sessions that were signed out at this hub and that the back-office has not ended yet: the hub refuses them whatever
 * the back-office says. The list is in the data file as digests; the tokens, which are needed to end the sessions, are
 * in memory only. After a restart a session is ended when its token is next shown.
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
  const unended = new Map<string, string>();
  const loop = createLoop(world, "ended sessions", RETRY_EVERY_MS, endAll);

  async function endAll(): Promise<void> {
    await Promise.all([...unended.keys()].map(endAtBackOffice));
  }

  /** Ends one at the back-office, which refuses it from then on, so that the hub can forget it. */
  async function endAtBackOffice(digest: string): Promise<void> {
    const token = unended.get(digest);
    if (token === undefined) return;
    try {
      await client.destroySession(token, { caller: { lane: "known", peer: "" }, timeoutMs: DESTROY_WAIT_MS });
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      if (error.kind !== "session_dead") return;
    }
    unended.delete(digest);
    // Otherwise it stays on the list until it is too old; being refused twice does no harm.
    await writeOrLog(deps, "an ended session could not be taken off the list", () => void remove.run(digest));
  }

  return {
    has: (digest: string): boolean => unended.has(digest) || find.get(digest) !== undefined,

    /** A session on the list was shown again: its token can be ended at the back-office now. */
    shown(digest: string, token: string): void {
      if (unended.has(digest)) return;
      unended.set(digest, token);
      loop.wake();
    },

    /**
     * Refuses these from now on, with `alsoWrite` in the same write, and asks the back-office to end the tokens. Resolves
     * with whether it has ended all of them; otherwise that is tried again. Throws when it could neither be stored nor
     * ended: then the hub refuses them for as long as it runs.
     */
    async add(tokens: ReadonlyMap<string, string>, digests: Iterable<string>, alsoWrite: () => void): Promise<boolean> {
      for (const [digest, token] of tokens) unended.set(digest, token);
      const at = time.latest();
      const stored = changes.write(() => {
        for (const digest of [...tokens.keys(), ...digests]) insert.run({ digest, at });
        alsoWrite();
      });
      const [written] = await Promise.allSettled([stored]);
      await Promise.all([...tokens.keys()].map(endAtBackOffice));
      const isEnded = [...tokens.keys()].every((digest) => !unended.has(digest));
      if (written.status === "rejected" && !isEnded) throw written.reason;
      return isEnded;
    },

    start: loop.start,
    wake: loop.wake,
    stop: loop.stop,
    /** Removes those that are too old; to be called inside a write. */
    prune: (): void => void removeOld.run(time.now() - KEPT_MS),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void moveAll.run(byMs),
  };
}
