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
/** How long a sign-out waits for the back-office. */
const DESTROY_WAIT_MS = 3_000;
/** No back-office keeps unused sessions longer than this. */
const RETENTION_MS = 90 * DAY_MS;

/**
 * Tracks sessions that were signed out at this hub and that the back-office has not ended yet. The hub refuses them even if
 * the back-office accepts them. The data file stores their digests; the tokens, which are needed to end the sessions, are only
 * in memory. After a restart, a session is ended when a client sends its token again.
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
  /** Tokens that the back-office still has to end, by digest. */
  const unended = new Map<string, string>();
  const loop = createLoop(world, "ended sessions", RETRY_EVERY_MS, endAll);

  async function endAll(): Promise<void> {
    await Promise.all([...unended.keys()].map(endAtBackOffice));
  }

  /** Ends a session at the back-office and then removes it from the list, since the back-office refuses it from now on. */
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
    // If this fails, the entry stays until it is pruned, which does no harm.
    await writeOrLog(deps, "an ended session could not be taken off the list", () => void remove.run(digest));
  }

  return {
    has: (digest: string): boolean => unended.has(digest) || find.get(digest) !== undefined,

    /** Notes the token of a listed session that was sent again, so that it can be ended at the back-office. */
    shown(digest: string, token: string): void {
      if (unended.has(digest)) return;
      unended.set(digest, token);
      loop.wake();
    },

    /**
     * Refuses these sessions from now on, runs `writeToo` in the same write, and asks the back-office to end the tokens.
     * Resolves with whether it ended all of them; if not, the hub retries later. Throws if they could neither be stored nor
     * ended; the hub then refuses them until it restarts.
     */
    async add(tokens: ReadonlyMap<string, string>, digests: Iterable<string>, writeToo: () => void): Promise<boolean> {
      for (const [digest, token] of tokens) unended.set(digest, token);
      const at = time.latest();
      const stored = changes.write(() => {
        for (const digest of [...tokens.keys(), ...digests]) insert.run({ digest, at });
        writeToo();
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
    /** Removes old entries. Call this inside a write. */
    prune: (): void => void removeOld.run(time.now() - RETENTION_MS),
    /** Corrects the stored times by the error of the clock. */
    move: (byMs: number): void => void moveAll.run(byMs),
  };
}
