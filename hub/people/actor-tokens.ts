import { HOUR_MS, hubLimits, type TokenRefusal } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { sha256, type World } from "../platform/world.ts";

/** How long a token is valid for its person, only on its device. */
export const ACTOR_TTL_MS = 12 * HOUR_MS;
/** A signed-in terminal's token is renewed after this time, not with every heartbeat. */
const RENEW_AFTER_MS = HOUR_MS;
/** A mutation queued while its token was valid may arrive as late as the hub remembers mutations. */
const RETENTION_MS = hubLimits.mutationMemoryMs;
const BYTES = 32;
/** How far a device's clock may be behind when it has just got a token, in ms. */
const EARLY_MS = 10_000;

interface Row {
  digest: string;
  userId: number;
  deviceId: string;
  /** Given for a PIN, not with a full sign-in. */
  isPin: 0 | 1;
  /** Only valid to approve one mutation, not for the person's own. */
  isApproval: 0 | 1;
  givenAt: number;
  expiresAt: number;
}

/** Values of `revoked`: why, and whether a later use of the token was reported to managers. */
const REVOKED = { no: 0, pin: 1, pinReported: 2, device: 3, deviceReported: 4 } as const;

interface Found extends Row {
  revoked: (typeof REVOKED)[keyof typeof REVOKED];
  /** The mutation that it approved. */
  approved: string | null;
}

/** The use of a token: what it is shown for, and how long ago that was queued. Negative ages count as 0: a clock jumped. */
export interface TokenUse {
  mutationId: string;
  as: "actor" | "approval";
  ageMs: number;
}

/** Whether a token is valid for a use, or why not. */
export type Standing = "valid" | Exclude<TokenRefusal, "unknown">;

export type ActorTokens = ReturnType<typeof createActorTokens>;

/**
 * The tokens that prove who acts: random, stored as digests. `now` is a time in ms since 1970 that a change of the wall clock
 * does not move. Call methods that write in a transaction.
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
  // Removes a few with each new token, so that old ones never pile up.
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
      removeOld.run(now() - RETENTION_MS);
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
    /** Returns the user of a device's token and whether it is valid for the use; null for an unknown token. */
    find(token: string, deviceId: string, use: TokenUse): { userId: number; standing: Standing } | null {
      const row = get.get(sha256(token));
      if (row === undefined || row.deviceId !== deviceId) return null;
      return { userId: row.userId, standing: standing(row, use) };
    },
    /** Records that an approval was used for a mutation, so that it is valid for no other. */
    noteApproved: (token: string, mutationId: string): void =>
      void noteApproved.run({ digest: sha256(token), mutationId }),
    /** Records a use of a revoked token. Returns whether it is the first one. */
    noteReported: (token: string): boolean => noteReported.run(sha256(token)).changes === 1,
    /** Returns a token that is valid now, from any device; `expiresAt` is ms since 1970. */
    findValid(token: string): { userId: number; deviceId: string; expiresAt: number } | null {
      const row = get.get(sha256(token));
      return row === undefined || row.expiresAt <= now() ? null : row;
    },
    /** Ends a token at once. */
    end: (token: string): void => void endOne.run({ digest: sha256(token), now: now() }),
    /** Extends a token whose user is still signed in at its device. */
    renew(token: string): void {
      const expiresAt = now() + ACTOR_TTL_MS;
      renew.run({ digest: sha256(token), now: now(), expiresAt, below: expiresAt - RENEW_AFTER_MS });
    },
    /** Revokes all tokens given for a person's PIN, also for mutations queued before. */
    revokePins: (userId: number): void => void revokePins.run({ userId, now: now() }),
    /** Revokes all tokens of a device. */
    revokeDevice: (deviceId: string): void => void revokeDevice.run({ deviceId, now: now() }),
    /** Moves a device's tokens to its new name. */
    renameDevice: (from: string, to: string): void => void renameDevice.run({ from, to }),
    /** Shifts all times after the clock was corrected. */
    move: (byMs: number): void => void move.run({ byMs }),
  };
}
