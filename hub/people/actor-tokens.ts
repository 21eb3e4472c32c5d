import { HOUR_MS, hubLimits, type TokenRefusal } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { sha256, type World } from "../platform/world.ts";

/** For so long at most a token speaks for its person, on its device alone. */
export const ACTOR_TTL_MS = 12 * HOUR_MS;
/** The token of a signed-in terminal is renewed when this much of its time is gone, not with every heartbeat. */
const RENEW_AFTER_MS = HOUR_MS;
/** What was queued in time may arrive as late as the hub remembers mutations. */
const KEPT_MS = hubLimits.mutationMemoryMs;
const BYTES = 32;
/** By so much a device's clock may be behind when it has just been given a token. */
const EARLY_MS = 10_000;

interface Row {
  digest: string;
  userId: number;
  deviceId: string;
  /** Given for a PIN, not with a full sign-in. */
  isPin: 0 | 1;
  /** Good for the approval of one mutation, and for nobody's own. */
  isApproval: 0 | 1;
  givenAt: number;
  expiresAt: number;
}

/** What `revoked` holds: why, and whether what came with it afterwards was reported to managers. */
const REVOKED = { no: 0, pin: 1, pinReported: 2, device: 3, deviceReported: 4 } as const;

interface Found extends Row {
  revoked: (typeof REVOKED)[keyof typeof REVOKED];
  /** The mutation that it approved. */
  approved: string | null;
}

/** What a mutation, a refund or a takeover shows a token for, and when it was queued; the age counts as 0 below 0: a clock has jumped. */
export interface TokenUse {
  mutationId: string;
  as: "actor" | "approval";
  ageMs: number;
}

/** Whether a token counts for a use, or why not. */
export type Standing = "valid" | Exclude<TokenRefusal, "unknown">;

export type ActorTokens = ReturnType<typeof createActorTokens>;

/**
 * The tokens that prove who acts: random, stored as digests. `now` is a time in ms since 1970 that a change of the wall
 * clock does not move. Everything that writes is to be called inside a write.
 */
export function createActorTokens(db: Db, { random }: World, now: () => number) {
  const get = db.prepare<[string], Found>(`
    SELECT digest, user_id AS userId, device_id AS deviceId, is_pin AS isPin, is_approval AS isApproval,
      given_at AS givenAt, expires_at AS expiresAt, revoked, approved
    FROM actor_tokens WHERE digest = ?`);
  const insert = db.prepare<Row>(`
    INSERT INTO actor_tokens (digest, user_id, device_id, is_pin, is_approval, given_at, expires_at)
    VALUES (@digest, @userId, @deviceId, @isPin, @isApproval, @givenAt, @expiresAt)`);
  const renew = db.prepare<{ digest: string; now: number; expiresAt: number; below: number }>(`
    UPDATE actor_tokens SET expires_at = @expiresAt
    WHERE digest = @digest AND expires_at > @now AND expires_at < @below AND revoked = 0`);
  const revokePins = db.prepare<{ userId: number; now: number }>(`
    UPDATE actor_tokens SET expires_at = min(expires_at, @now),
      revoked = CASE revoked WHEN ${REVOKED.no} THEN ${REVOKED.pin} ELSE revoked END
    WHERE user_id = @userId AND is_pin = 1`);
  const endOne = db.prepare<{ digest: string; now: number }>(
    "UPDATE actor_tokens SET expires_at = @now WHERE digest = @digest AND expires_at > @now",
  );
  const revokeDevice = db.prepare<{ deviceId: string; now: number }>(`
    UPDATE actor_tokens SET expires_at = min(expires_at, @now),
      revoked = CASE revoked WHEN ${REVOKED.no} THEN ${REVOKED.device} ELSE revoked END
    WHERE device_id = @deviceId`);
  const renameDevice = db.prepare<{ from: string; to: string }>(
    "UPDATE actor_tokens SET device_id = @to WHERE device_id = @from",
  );
  const noteReported = db.prepare<[string]>(`
    UPDATE actor_tokens SET revoked = revoked + 1
    WHERE digest = ? AND revoked IN (${REVOKED.pin}, ${REVOKED.device})`);
  const noteApproved = db.prepare<{ digest: string; mutationId: string }>(
    "UPDATE actor_tokens SET approved = coalesce(approved, @mutationId) WHERE digest = @digest",
  );
  // A few with each new one, so that there are never many.
  const removeOld = db.prepare<[number]>(`
    DELETE FROM actor_tokens WHERE digest IN (
      SELECT digest FROM actor_tokens INDEXED BY actor_token_by_expiry WHERE expires_at < ? LIMIT 20)`);
  const move = db.prepare<{ byMs: number }>(
    "UPDATE actor_tokens SET expires_at = expires_at + @byMs, given_at = given_at + @byMs",
  );

  function standing(row: Found, { mutationId, as, ageMs }: TokenUse): Standing {
    if (row.revoked === REVOKED.pin || row.revoked === REVOKED.pinReported) return "pin_revoked";
    if (row.revoked !== REVOKED.no) return "device_forgotten";
    if (as === "actor" && row.isApproval === 1) return "for_approval";
    if (as === "approval" && row.approved !== null && row.approved !== mutationId) return "used";
    const queuedAt = now() - Math.max(0, ageMs);
    if (queuedAt < row.givenAt - EARLY_MS) return "early";
    return queuedAt < row.expiresAt ? "valid" : "expired";
  }

  return {
    give(to: { userId: number; deviceId: string; isPin: boolean; isApproval?: boolean; expiresAt?: number }): string {
      const { userId, deviceId, isPin, isApproval = false, expiresAt = now() + ACTOR_TTL_MS } = to;
      removeOld.run(now() - KEPT_MS);
      const token = random.bytes(BYTES).toString("base64url");
      insert.run({
        digest: sha256(token),
        userId,
        deviceId,
        isPin: isPin ? 1 : 0,
        isApproval: isApproval ? 1 : 0,
        givenAt: now(),
        expiresAt,
      });
      return token;
    },
    /** Whose a token of this device is, and whether it counts for what it is shown for; null for one that is none. */
    find(token: string, deviceId: string, use: TokenUse): { userId: number; standing: Standing } | null {
      const row = get.get(sha256(token));
      if (row === undefined || row.deviceId !== deviceId) return null;
      return { userId: row.userId, standing: standing(row, use) };
    },
    /** A mutation was carried out with this approval: from now on it counts for no other. */
    noteApproved: (token: string, mutationId: string): void =>
      void noteApproved.run({ digest: sha256(token), mutationId }),
    /** Whether this is the first time that something came with a revoked token. */
    noteReported: (token: string): boolean => noteReported.run(sha256(token)).changes === 1,
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
    /** Nothing that arrives from now on is accepted with a token that this person's PIN has given. */
    revokePins: (userId: number): void => void revokePins.run({ userId, now: now() }),
    /** The same for every token of a device. */
    revokeDevice: (deviceId: string): void => void revokeDevice.run({ deviceId, now: now() }),
    /** The tokens of a device count under its new name. */
    renameDevice: (from: string, to: string): void => void renameDevice.run({ from, to }),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void move.run({ byMs }),
  };
}
