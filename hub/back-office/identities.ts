import { DAY_MS } from "@comanda/protocol";
import { BackOfficeError } from "./back-office-error.ts";
import { createConfirmations, type Identified, type StrangerBudget } from "./confirmations.ts";
import { createSessionStores } from "./session-stores.ts";
import type { OwnSession } from "./own-session.ts";
import type { Identity } from "./session-calls.ts";
import { createSessionUse } from "./session-use.ts";
import { createSignIns } from "./sign-ins.ts";

export type Identities = ReturnType<typeof createIdentities>;

/** How long a caller waits for a slow back-office if the hub already knows the user, and if it does not. */
const KNOWN_WAIT_MS = 3_000;
const UNKNOWN_WAIT_MS = 8_000;

/**
 * Identifies the users of back-office sessions. While the back-office is unreachable, a session that it confirmed before
 * stays valid; a session that it refused, or that was signed out here, never is. Unknown tokens are rate-limited per peer,
 * since anyone can invent them.
 */
export function createIdentities(
  deps: Parameters<typeof createSessionStores>[0] & {
    own: OwnSession;
    /** Receives every user whom the back-office confirms. */
    people: { learn(identity: Identity): void };
    budget: StrangerBudget;
  },
) {
  const { world, time, client, own, budget } = deps;
  const confirmedListeners: ((identity: Identity) => void)[] = [];
  const stores = createSessionStores(deps);
  const { store, terminalSessions, rotations, ended, passwords } = stores;
  const people = {
    learn(identity: Identity): void {
      deps.people.learn(identity);
      for (const listener of confirmedListeners) listener(identity);
    },
  };
  const { recentIdentity, ask } = createConfirmations({
    ...stores,
    client,
    budget,
    onConfirmed(identity, digest, newDigest) {
      terminalSessions.follow(digest, newDigest, identity.userId, time.latest());
      people.learn(identity);
    },
  });
  let pendingOwn: Promise<Identity> | null = null;

  async function identify(shown: string, peer: string, trustMs = 0): Promise<Identified> {
    const token = rotations.newestOf(shown);
    const rotated = token === shown ? {} : { newToken: token };
    const digest = store.digestOf(token);
    const trusted = trustMs > 0 ? recentIdentity(digest, trustMs) : null;
    if (trusted !== null) {
      // Renews the confirmation ahead of time, so that polling screens never wait for a slow back-office.
      if (recentIdentity(digest, trustMs / 2) === null) void ask(token, peer, KNOWN_WAIT_MS).catch(() => {});
      return { ...rotated, identity: trusted, offline: false };
    }
    const waitMs = recentIdentity(digest, DAY_MS) === null ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS;
    try {
      return { ...rotated, ...(await ask(token, peer, waitMs)) };
    } catch (error) {
      const cached = recentIdentity(digest, DAY_MS);
      if (cached !== null && isUnreachable(error)) return { ...rotated, identity: cached, offline: true };
      // Another call has rotated the session in the meantime, so the refused token was an old one.
      if (!isUnreachable(error) && rotations.newestOf(shown) !== token) return identify(shown, peer, trustMs);
      throw error;
    }
  }

  time.onCorrected((byMs) => {
    try {
      store.move(byMs);
      ended.move(byMs);
      terminalSessions.move(byMs);
    } catch (error) {
      world.log.error({ err: error }, "the times of confirmations could not be corrected");
    }
  });

  return {
    /**
     * Identifies the user of a session. A confirmation younger than `trustMs` is enough without a call; while the
     * back-office is unreachable, one of the last 24 h. Throws a BackOfficeError (unreachable and unknown, or refused), or
     * RATE_LIMITED if `peer` has sent too many invalid tokens.
     */
    identify,

    /** Identifies the user by a call to the back-office; ignores earlier confirmations. */
    async identifyNow(shown: string, peer: string): Promise<Identity> {
      return (await ask(rotations.newestOf(shown), peer, UNKNOWN_WAIT_MS)).identity;
    },

    /** Whether a session was opened by signing in at a terminal. */
    isTerminals: (shown: string): boolean =>
      terminalSessions.has(store.digestOf(rotations.newestOf(shown))) || terminalSessions.has(store.digestOf(shown)),

    /** Whether a session was opened here with a password within `PASSWORD_COUNTS_MS`, since the hub started. */
    isPasswordRecent: (shown: string): boolean => passwords.has(store.sessionOf(store.digestOf(shown))),

    /** Whether the back-office has confirmed a session within the last `withinMs`. */
    isConfirmed: (shown: string, withinMs: number): boolean =>
      recentIdentity(store.digestOf(rotations.newestOf(shown)), withinMs) !== null,

    /** Identifies the hub's own user, for HUB_DEV_AUTH with an empty token. */
    async identifySelf(): Promise<Identified> {
      pendingOwn ??= own
        .use((token) => client.sessionInfo(token))
        .finally(() => {
          pendingOwn = null;
        });
      return { identity: await pendingOwn, offline: false };
    },

    ...createSessionUse(stores),
    /** The current token of a session: a different one if the back-office has rotated it. */
    newestOf: rotations.newestOf,

    ...createSignIns({ ...deps, ...stores, people }),
    /** Called with the current identity of every user whom the back-office confirms. */
    onConfirmed: (listener: (identity: Identity) => void): void => void confirmedListeners.push(listener),

    start: ended.start,
    stop: ended.stop,
    /** Ends signed-out sessions at the back-office. Call this when it is reachable again. */
    wake: ended.wake,

    /** Removes old entries. Call this inside a write. */
    prune(): void {
      store.removeOlderThan(time.now() - DAY_MS);
      ended.prune();
      terminalSessions.prune(time.now());
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof BackOfficeError && error.kind === "unreachable";
}
