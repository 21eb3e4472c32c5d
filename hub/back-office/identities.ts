import { createHmac } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { TrustedTime } from "../trusted-time.ts";
import type { World } from "../world.ts";
import { BackOfficeError, type BackOfficeClient, type Identity } from "./client.ts";
import type { OwnSession } from "./own-session.ts";

/** Someone the back-office vouches for, now or (`offline`) some time ago. */
export interface Identified {
  identity: Identity;
  offline: boolean;
  /** Set when the back-office has rotated the session: the token to use from now on. */
  newToken?: string;
}

export type Identities = ReturnType<typeof createIdentities>;

const DAY_MS = 86_400_000;
/** How many rotated tokens are followed to the one in force. */
const MAX_SUCCESSORS = 1_000;
/** Administration trusts an earlier confirmation no longer than this. */
const ADMIN_CACHE_MS = 60_000;
/** How long a terminal waits for a slow back-office when the hub already knows who it is, and when it does not. */
const KNOWN_WAIT_MS = 3_000;
const UNKNOWN_WAIT_MS = 8_000;

/**
 * Tells who a back-office session belongs to. Only keyed digests of tokens are kept. While the back-office cannot be
 * reached, one it confirmed before still counts; one it refused never does.
 */
export function createIdentities(deps: {
  world: World;
  time: TrustedTime;
  db: Db;
  client: BackOfficeClient;
  own: OwnSession;
}) {
  const { world, time, db, client, own } = deps;
  const key = db.prepare<[], { key: Buffer }>("SELECT digest_key AS key FROM hub_state").get()?.key ?? Buffer.alloc(0);
  const find = db.prepare<[string], { identity: string; confirmedAt: number }>(
    "SELECT identity, confirmed_at AS confirmedAt FROM identities WHERE digest = ?",
  );
  const save = db.prepare<{ digest: string; identity: string; at: number }>(`
    INSERT INTO identities (digest, identity, confirmed_at) VALUES (@digest, @identity, @at)
    ON CONFLICT (digest) DO UPDATE SET identity = excluded.identity, confirmed_at = excluded.confirmed_at`);
  const forget = db.prepare<[string]>("DELETE FROM identities WHERE digest = ?");
  const moveAll = db.prepare<[number]>("UPDATE identities SET confirmed_at = confirmed_at + ?");
  const forgetOld = db.prepare<[number]>("DELETE FROM identities WHERE confirmed_at < ?");

  /** What the back-office gave in a token's place: whoever still shows the old one is the same person. */
  const successors = new Map<string, string>();

  const digestOf = (token: string): string => createHmac("sha256", key).update(token).digest("base64url");

  function known(token: string, maxAgeMs: number): Identity | null {
    const row = find.get(digestOf(token));
    if (row === undefined) return null;
    // A confirmation from the future: the clock was put back. That alone must not stop the restaurant.
    const age = Math.abs(time.latest() - row.confirmedAt);
    return age <= maxAgeMs ? (JSON.parse(row.identity) as Identity) : null;
  }

  function newestOf(token: string): string {
    const next = successors.get(token);
    return next === undefined ? token : newestOf(next);
  }

  function follow(token: string, next: string): void {
    successors.set(token, next);
    successors.delete(next);
    const [oldest] = successors.keys();
    if (successors.size > MAX_SUCCESSORS && oldest !== undefined) successors.delete(oldest);
  }

  /** A full disk keeps nobody out: who was confirmed just now is in, remembered or not. */
  function remember(token: string, identity: Identity): void {
    try {
      save.run({ digest: digestOf(token), identity: JSON.stringify(identity), at: time.latest() });
    } catch (error) {
      world.log.error({ err: error }, "an identity could not be remembered");
    }
  }

  function forgetRefused(token: string): void {
    try {
      forget.run(digestOf(token));
    } catch (error) {
      world.log.error({ err: error }, "a refused identity could not be forgotten");
    }
  }

  async function ask(token: string, timeoutMs: number): Promise<Identified> {
    try {
      const answer = await client.sessionInfo(token, timeoutMs);
      remember(token, answer.value);
      if (answer.token === token) return { identity: answer.value, offline: false };
      remember(answer.token, answer.value);
      follow(token, answer.token);
      return { identity: answer.value, offline: false, newToken: answer.token };
    } catch (error) {
      if (error instanceof BackOfficeError && error.kind !== "unreachable") forgetRefused(token);
      throw error;
    }
  }

  async function identifyTerminal(shown: string): Promise<Identified> {
    const token = newestOf(shown);
    const rotated = token === shown ? {} : { newToken: token };
    const cached = known(token, DAY_MS);
    try {
      return { ...rotated, ...(await ask(token, cached === null ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS)) };
    } catch (error) {
      const isUnreachable = error instanceof BackOfficeError && error.kind === "unreachable";
      if (isUnreachable && cached !== null) return { ...rotated, identity: cached, offline: true };
      // Another call has had it rotated meanwhile: what was refused is no longer the token in force.
      if (!isUnreachable && newestOf(shown) !== token) return identifyTerminal(shown);
      throw error;
    }
  }

  time.onCorrected((byMs) => {
    try {
      moveAll.run(Math.round(byMs));
    } catch (error) {
      world.log.error({ err: error }, "the times of confirmations could not be corrected");
    }
  });

  return {
    /** Identifies a terminal's user. Throws a BackOfficeError: unreachable and unknown, or refused. */
    identifyTerminal,

    /** The hub's own user, for HUB_DEV_AUTH with an empty token. */
    async identifySelf(): Promise<Identified> {
      return { identity: await own.use((token) => client.sessionInfo(token)), offline: false };
    },

    /**
     * Identifies someone who administers. A confirmation younger than `trustMs` is taken without asking; while the
     * back-office cannot be reached, one younger than `offlineMs`, at most a minute.
     */
    async identifyAdmin(shown: string, trustMs = 0, offlineMs = ADMIN_CACHE_MS): Promise<Identity> {
      const token = newestOf(shown);
      const trusted = trustMs > 0 ? known(token, Math.min(trustMs, ADMIN_CACHE_MS)) : null;
      if (trusted !== null) return trusted;
      try {
        return (await ask(token, UNKNOWN_WAIT_MS)).identity;
      } catch (error) {
        const cached = known(token, Math.min(offlineMs, ADMIN_CACHE_MS));
        if (cached !== null && error instanceof BackOfficeError && error.kind === "unreachable") return cached;
        throw error;
      }
    },

    /** The token to show from now on: another one when the back-office has rotated it. */
    newestOf,

    /** Ends a session, here at once and at the back-office as far as it can be reached. */
    async signOut(shown: string): Promise<void> {
      const token = newestOf(shown);
      forget.run(digestOf(shown));
      forget.run(digestOf(token));
      await client.destroySession(token);
    },

    /** Signs someone in with name and password. */
    async signIn(login: string, password: string): Promise<{ token: string; identity: Identity }> {
      const answer = await client.authenticate(login, password);
      remember(answer.token, answer.value);
      return { token: answer.token, identity: answer.value };
    },

    prune: (): void => void forgetOld.run(time.now() - DAY_MS),
  };
}
