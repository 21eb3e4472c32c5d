import { createHmac, createSecretKey } from "node:crypto";
import type { Db } from "../db/open.ts";
import { soundRow } from "../db/integrity/sealed-tables.ts";
import type { World } from "../platform/world.ts";
import type { Identity } from "./session-calls.ts";

/** Stores identities that the back-office confirmed, by keyed digests of their tokens. Tokens themselves are not stored. */
export function createIdentityStore(db: Db, { log }: World) {
  const key = db.prepare<[], { key: Buffer }>("SELECT digest_key AS key FROM hub_state").get()?.key ?? Buffer.alloc(0);
  const find = db.prepare<[string], { identity: string; confirmedAt: number; session: string | null }>(
    `SELECT identity, confirmed_at AS confirmedAt, session FROM identities
    WHERE digest = ? AND ${soundRow(db, "identities")}`,
  );
  const save = db.prepare<{ digest: string; identity: string; at: number; session: string | null }>(`
    INSERT INTO identities (digest, identity, confirmed_at, session) VALUES (@digest, @identity, @at, @session)
    ON CONFLICT (digest) DO UPDATE SET identity = excluded.identity, confirmed_at = excluded.confirmed_at`);
  // `json_valid`, because a damaged row must not keep out a user who was just confirmed.
  const saveOthers = db.prepare<{ digest: string; identity: string; userId: number }>(`
    UPDATE identities SET identity = @identity
    WHERE digest <> @digest AND identity <> @identity
      AND CASE WHEN json_valid(identity) THEN identity ->> 'userId' = @userId END`);
  const remove = db.prepare<[string]>("DELETE FROM identities WHERE digest = ?");
  const removeSession = db.prepare<{ digest: string; session: string }>(`
    DELETE FROM identities WHERE (digest = @session OR session = @session)
      AND confirmed_at <= (SELECT confirmed_at FROM identities WHERE digest = @digest)`);
  const findSession = db.prepare<[string], { digest: string }>("SELECT digest FROM identities WHERE session = ?");
  const moveAll = db.prepare<[number]>("UPDATE identities SET confirmed_at = confirmed_at + ?");
  const removeOld = db.prepare<[number]>("DELETE FROM identities WHERE confirmed_at < ?");
  // A key object, because raw bytes would be converted to one at each use.
  const hmacKey = createSecretKey(key);

  function sessionOf(digest: string): string {
    return find.get(digest)?.session ?? digest;
  }

  return {
    digestOf: (token: string): string => createHmac("sha256", hmacKey).update(token).digest("base64url"),
    find(digest: string): { identity: Identity; confirmedAt: number } | null {
      const row = find.get(digest);
      if (row === undefined) return null;
      return { identity: JSON.parse(row.identity) as Identity, confirmedAt: row.confirmedAt };
    },
    /** The digest of the first token of a session. */
    sessionOf,
    /** Returns the stored digests of all tokens that a session has had. */
    digestsOfSession(digest: string): Set<string> {
      const session = sessionOf(digest);
      return new Set([session, ...findSession.all(session).map((row) => row.digest)]);
    },
    /**
     * Stores a confirmation. Also updates the identity in the user's other sessions, but not the time of their confirmation.
     * An error (a full disk) is only logged, because it must not keep out a user who was just confirmed.
     */
    save(digest: string, identity: Identity, at: number, session: string | null = null): void {
      const text = JSON.stringify(identity);
      try {
        saveOthers.run({ digest, identity: text, userId: identity.userId });
        save.run({ digest, identity: text, at, session });
      } catch (error) {
        log.error({ err: error }, "an identity could not be stored");
      }
    },
    /**
     * Removes a refused token and the earlier tokens of its session. A token that was confirmed later is a newer one of
     * the session and stays. Errors are logged.
     */
    removeRefused(digest: string): void {
      try {
        removeSession.run({ digest, session: sessionOf(digest) });
      } catch (error) {
        log.error({ err: error }, "a refused identity could not be removed");
      }
    },
    remove: (digest: string): void => void remove.run(digest),
    removeOlderThan: (at: number): void => void removeOld.run(at),
    /** Corrects the stored times by the error of the clock. */
    move: (byMs: number): void => void moveAll.run(byMs),
  };
}
