import { createHmac, createSecretKey } from "node:crypto";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { World } from "../platform/world.ts";
import { BackOfficeError, type Answer, type BackOfficeClient, type Caller, type Identity } from "./client.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import type { OwnSession } from "./own-session.ts";
import { createRecentRefusals } from "./recent-refusals.ts";

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
 * reached, one it confirmed before still counts; one it refused, or that was signed out here, never does. A token that
 * the hub does not know costs its peer something, since anybody may make one up.
 */
export function createIdentities(deps: {
  world: World;
  time: TrustedTime;
  db: Db;
  changes: ChangeLog;
  client: BackOfficeClient;
  own: OwnSession;
  /** How often a peer may ask about a session that turns out to be none. */
  budget: { admits(peer: string): boolean; hasLeft(peer: string): boolean; giveBack(peer: string): void };
}) {
  const { world, time, db, changes, client, own, budget } = deps;
  const key = db.prepare<[], { key: Buffer }>("SELECT digest_key AS key FROM hub_state").get()?.key ?? Buffer.alloc(0);
  const find = db.prepare<[string], { identity: string; confirmedAt: number; session: string | null }>(
    "SELECT identity, confirmed_at AS confirmedAt, session FROM identities WHERE digest = ?",
  );
  const save = db.prepare<{ digest: string; identity: string; at: number; session: string | null }>(`
    INSERT INTO identities (digest, identity, confirmed_at, session) VALUES (@digest, @identity, @at, @session)
    ON CONFLICT (digest) DO UPDATE SET identity = excluded.identity, confirmed_at = excluded.confirmed_at`);
  const forget = db.prepare<[string]>("DELETE FROM identities WHERE digest = ?");
  const findSession = db.prepare<[string], { digest: string }>("SELECT digest FROM identities WHERE session = ?");
  const moveAll = db.prepare<[number]>("UPDATE identities SET confirmed_at = confirmed_at + ?");
  const forgetOld = db.prepare<[number]>("DELETE FROM identities WHERE confirmed_at < ?");

  /** What the back-office gave in a token's place: whoever still shows the old one is the same person. */
  const successors = new Map<string, string>();
  const ended = createEndedSessions({ world, time, db, changes, client });
  const refusals = createRecentRefusals(world);
  /** The calls under way, by digest. */
  const asking = new Map<string, Promise<Identified>>();
  let askingSelf: Promise<Identity> | null = null;

  /** Made once: each use of the bare bytes would make it anew. */
  const hmacKey = createSecretKey(key);
  const digestOf = (token: string): string => createHmac("sha256", hmacKey).update(token).digest("base64url");
  /** The digest of the token that the session of this one began with. */
  const sessionOf = (digest: string): string => find.get(digest)?.session ?? digest;

  function known(digest: string, maxAgeMs: number): Identity | null {
    const row = find.get(digest);
    if (row === undefined || ended.has(digest)) return null;
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
  function remember(digest: string, identity: Identity, session: string | null = null): void {
    try {
      save.run({ digest, identity: JSON.stringify(identity), at: time.latest(), session });
    } catch (error) {
      world.log.error({ err: error }, "an identity could not be remembered");
    }
  }

  function forgetRefused(digest: string): void {
    try {
      forget.run(digest);
    } catch (error) {
      world.log.error({ err: error }, "a refused identity could not be forgotten");
    }
  }

  /** Asks the back-office about a token; whoever asks about it at the same time shares the call. */
  async function ask(token: string, peer: string, timeoutMs: number): Promise<Identified> {
    const digest = digestOf(token);
    if (ended.has(digest)) {
      ended.shown(digest, token);
      throw signedOut();
    }
    if (refusals.has(digest)) throw new BackOfficeError("session_dead", "it was refused a moment ago");
    const underWay = asking.get(digest);
    if (underWay !== undefined) return underWay;
    const isKnown = known(digest, DAY_MS) !== null;
    // A flood is not worth a place in line.
    if (!isKnown && !budget.hasLeft(peer)) throw tooManyUnknown();
    const call = verify({ token, digest, peer, timeoutMs, isKnown }).finally(() => asking.delete(digest));
    asking.set(digest, call);
    return call;
  }

  async function verify(question: {
    token: string;
    digest: string;
    peer: string;
    timeoutMs: number;
    isKnown: boolean;
  }): Promise<Identified> {
    const { token, digest, peer, timeoutMs, isKnown } = question;
    // Charged when it is asked about, not before: a room full of good tokens may wait in line.
    const charge = (): void => {
      if (!budget.admits(peer)) throw tooManyUnknown();
    };
    const caller: Caller = isKnown ? { lane: "known", peer } : { lane: "strangers", peer, onTurn: charge };
    try {
      const answer = await client.sessionInfo(token, { caller, timeoutMs });
      if (!isKnown) budget.giveBack(peer);
      return await adopt(token, digest, answer);
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      const { kind, reason } = error;
      const isRefused = kind !== "unreachable";
      if (isKnown && isRefused) forgetRefused(digest);
      else if (isRefused) refusals.note(digest);
      // Nobody judged it. An answer that makes no sense may be the token's doing, and counts.
      else if (!isKnown && (reason === "no_connection" || reason === "timeout")) budget.giveBack(peer);
      throw error;
    }
  }

  async function adopt(token: string, digest: string, answer: Answer<Identity>): Promise<Identified> {
    const { value: identity, token: newToken } = answer;
    const newDigest = digestOf(newToken);
    if (ended.has(digest)) {
      // Signed out while the back-office was asked: what it gave in the token's place ends as well.
      await ended.add(new Map([[newDigest, newToken]]), [], () => {});
      throw signedOut();
    }
    remember(digest, identity);
    if (newToken === token) return { identity, offline: false };
    remember(newDigest, identity, sessionOf(digest));
    follow(token, newToken);
    return { identity, offline: false, newToken };
  }

  async function identifyTerminal(shown: string, peer: string): Promise<Identified> {
    const token = newestOf(shown);
    const rotated = token === shown ? {} : { newToken: token };
    const digest = digestOf(token);
    const waitMs = known(digest, DAY_MS) === null ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS;
    try {
      return { ...rotated, ...(await ask(token, peer, waitMs)) };
    } catch (error) {
      const cached = known(digest, DAY_MS);
      if (cached !== null && isUnreachable(error)) return { ...rotated, identity: cached, offline: true };
      // Another call has had it rotated meanwhile: what was refused is no longer the token in force.
      if (!isUnreachable(error) && newestOf(shown) !== token) return identifyTerminal(shown, peer);
      throw error;
    }
  }

  time.onCorrected((byMs) => {
    try {
      moveAll.run(Math.round(byMs));
      ended.move(byMs);
    } catch (error) {
      world.log.error({ err: error }, "the times of confirmations could not be corrected");
    }
  });

  return {
    /**
     * Identifies a terminal's user. Throws a BackOfficeError: unreachable and unknown, or refused; or RATE_LIMITED when
     * `peer` has asked about too many sessions that were none.
     */
    identifyTerminal,

    /** The hub's own user, for HUB_DEV_AUTH with an empty token. */
    async identifySelf(): Promise<Identified> {
      askingSelf ??= own
        .use((token) => client.sessionInfo(token))
        .finally(() => {
          askingSelf = null;
        });
      return { identity: await askingSelf, offline: false };
    },

    /**
     * Identifies someone who administers. A confirmation younger than `trustMs` is taken without asking; while the
     * back-office cannot be reached, one younger than `offlineMs`, at most a minute. Throws as `identifyTerminal`.
     */
    async identifyAdmin(
      shown: string,
      { peer, trustMs = 0, offlineMs = ADMIN_CACHE_MS }: { peer: string; trustMs?: number; offlineMs?: number },
    ): Promise<Identity> {
      const token = newestOf(shown);
      const digest = digestOf(token);
      const trusted = trustMs > 0 ? known(digest, Math.min(trustMs, ADMIN_CACHE_MS)) : null;
      if (trusted !== null) return trusted;
      try {
        return (await ask(token, peer, UNKNOWN_WAIT_MS)).identity;
      } catch (error) {
        const cached = known(digest, Math.min(offlineMs, ADMIN_CACHE_MS));
        if (cached !== null && isUnreachable(error)) return cached;
        throw error;
      }
    },

    /** The token to show from now on: another one when the back-office has rotated it. */
    newestOf,

    /**
     * Ends a session with all its tokens: the hub refuses them from now on. Answers whether the back-office has ended it
     * too; otherwise the hub tells it later.
     */
    async signOut(shown: string): Promise<boolean> {
      const newest = newestOf(shown);
      const older = [...successors.keys()].filter((token) => newestOf(token) === newest);
      const tokens = new Map([newest, shown, ...older].map((token) => [digestOf(token), token]));
      const session = sessionOf(digestOf(newest));
      const digests = new Set([session, ...findSession.all(session).map((row) => row.digest)]);
      return ended.add(tokens, digests, () => {
        for (const digest of [...tokens.keys(), ...digests]) forget.run(digest);
      });
    },

    /** Signs someone in with name and password. */
    async signIn(login: string, password: string, peer: string): Promise<{ token: string; identity: Identity }> {
      const { token, value: identity } = await client.authenticate(login, password, { lane: "signIn", peer });
      const digest = digestOf(token);
      refusals.forget(digest);
      remember(digest, identity);
      return { token, identity };
    },

    start: ended.start,
    stop: ended.stop,
    /** The back-office answers again: it can be told of the sessions that ended meanwhile. */
    wake: ended.wake,

    /** Forgets who is too old; to be called inside a write. */
    prune(): void {
      forgetOld.run(time.now() - DAY_MS);
      ended.prune();
    },
  };
}

function signedOut(): BackOfficeError {
  return new BackOfficeError("session_dead", "this session was signed out", { reason: "signed_out" });
}

function isUnreachable(error: unknown): boolean {
  return error instanceof BackOfficeError && error.kind === "unreachable";
}

function tooManyUnknown(): HubError {
  return new HubError("RATE_LIMITED", "too many unknown sessions from this address; wait a minute and try again");
}
