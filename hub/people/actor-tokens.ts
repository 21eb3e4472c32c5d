import { HOUR_MS, terminalLimits } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { sha256, type World } from "../platform/world.ts";

/** For so long at most a token speaks for its person, on its device alone. */
export const ACTOR_TTL_MS = 12 * HOUR_MS;
/** The token of a signed-in terminal is renewed when this much of its time is gone, not with every heartbeat. */
const RENEW_AFTER_MS = HOUR_MS;
/** What was queued in time may arrive as late as the hub remembers mutations. */
const KEPT_MS = terminalLimits.mutationMemoryMs;
const BYTES = 32;

interface Row {
  digest: string;
  userId: number;
  deviceId: string;
  /** Given for a PIN, not with a full sign-in. */
  isPin: 0 | 1;
  expiresAt: number;
}

export type ActorTokens = ReturnType<typeof createActorTokens>;

/**
 * The tokens that prove who acts: random, stored as digests. `now` is a time in ms since 1970 that a change of the wall
 * clock does not move. Everything that writes is to be called inside a write.
 */
export function createActorTokens(db: Db, { random }: World, now: () => number) {
  const get = db.prepare<[string], Row>(`
    SELECT digest, user_id AS userId, device_id AS deviceId, is_pin AS isPin, expires_at AS expiresAt
    FROM actor_tokens WHERE digest = ?`);
  const insert = db.prepare<Row>(`
    INSERT INTO actor_tokens (digest, user_id, device_id, is_pin, expires_at)
    VALUES (@digest, @userId, @deviceId, @isPin, @expiresAt)`);
  const renew = db.prepare<{ digest: string; now: number; expiresAt: number; below: number }>(`
    UPDATE actor_tokens SET expires_at = @expiresAt
    WHERE digest = @digest AND expires_at > @now AND expires_at < @below`);
  const endPins = db.prepare<{ userId: number; now: number }>(
    "UPDATE actor_tokens SET expires_at = @now WHERE user_id = @userId AND is_pin = 1 AND expires_at > @now",
  );
  const endOne = db.prepare<{ digest: string; now: number }>(
    "UPDATE actor_tokens SET expires_at = @now WHERE digest = @digest AND expires_at > @now",
  );
  const endDevice = db.prepare<{ deviceId: string; now: number }>(
    "UPDATE actor_tokens SET expires_at = @now WHERE device_id = @deviceId AND expires_at > @now",
  );
  // A few with each new one, so that there are never many.
  const removeOld = db.prepare<[number]>(`
    DELETE FROM actor_tokens WHERE digest IN (
      SELECT digest FROM actor_tokens INDEXED BY actor_token_by_expiry WHERE expires_at < ? LIMIT 20)`);
  const move = db.prepare<[number]>("UPDATE actor_tokens SET expires_at = expires_at + ?");

  return {
    give(to: { userId: number; deviceId: string; isPin: boolean; expiresAt?: number }): string {
      const { userId, deviceId, isPin, expiresAt = now() + ACTOR_TTL_MS } = to;
      removeOld.run(now() - KEPT_MS);
      const token = random.bytes(BYTES).toString("base64url");
      insert.run({ digest: sha256(token), userId, deviceId, isPin: isPin ? 1 : 0, expiresAt });
      return token;
    },
    /**
     * Whose a token of this device is, and whether it was valid `ageMs` ago (now, for an age below 0: a clock has jumped); null
     * for one that is none.
     */
    find(token: string, deviceId: string, ageMs: number): { userId: number; isValid: boolean } | null {
      const row = get.get(sha256(token));
      if (row === undefined || row.deviceId !== deviceId) return null;
      return { userId: row.userId, isValid: now() - Math.max(0, ageMs) < row.expiresAt };
    },
    /** A token that is valid now, wherever it was given; `expiresAt` is ms since 1970. */
    findValid(token: string): { userId: number; deviceId: string; expiresAt: number } | null {
      const row = get.get(sha256(token));
      return row === undefined || row.expiresAt <= now() ? null : row;
    },
    /** Nothing is accepted with this token from now on. */
    end: (token: string): void => void endOne.run({ digest: sha256(token), now: now() }),
    /** The user of a token is still signed in at its device. */
    renew(token: string): void {
      const expiresAt = now() + ACTOR_TTL_MS;
      renew.run({ digest: sha256(token), now: now(), expiresAt, below: expiresAt - RENEW_AFTER_MS });
    },
    /** Nothing that is queued from now on is accepted with a token that this person's PIN has given. */
    endPins: (userId: number): void => void endPins.run({ userId, now: now() }),
    /** The same for every token of a device. */
    endDevice: (deviceId: string): void => void endDevice.run({ deviceId, now: now() }),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void move.run(byMs),
  };
}
