import { DAY_MS } from "@comanda/protocol";
import { BackOfficeError } from "./back-office-error.ts";
import { createConfirmations, type Identified, type StrangerBudget } from "./confirmations.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import { createIdentityStore } from "./identity-store.ts";
import type { OwnSession } from "./own-session.ts";
import { createRecentPasswords } from "./recent-passwords.ts";
import { createRecentRefusals } from "./recent-refusals.ts";
import type { Identity } from "./session-calls.ts";
import { createTerminalSessions } from "./terminal-sessions.ts";
import { createTokenRotations } from "./token-rotations.ts";
import type { Answer } from "./transport.ts";

/** Where somebody gives login and password. */
export type SignInPlace = "screens" | "terminal";

export type Identities = ReturnType<typeof createIdentities>;

/** How long somebody waits for a slow back-office when the hub already knows who it is, and when it does not. */
const KNOWN_WAIT_MS = 3_000;
const UNKNOWN_WAIT_MS = 8_000;

/**
 * Finds out whose a back-office session is. While the back-office cannot be reached, a session that it confirmed before
 * still counts; one that it refused, or that was signed out here, never does. Unknown tokens are limited for each peer,
 * since anybody can make them up.
 */
export function createIdentities(
  deps: Parameters<typeof createEndedSessions>[0] & {
    own: OwnSession;
    /** Gets everybody whom the back-office confirms. */
    people: { learn(identity: Identity): void };
    budget: StrangerBudget;
  },
) {
  const { world, time, db, client, own, people, budget } = deps;
  const store = createIdentityStore(db, world);
  const ofTerminals = createTerminalSessions(db, world);
  const rotations = createTokenRotations();
  const ended = createEndedSessions(deps);
  const refusals = createRecentRefusals(world);
  const passwords = createRecentPasswords({ monotonic: world.clock.monotonic, wall: time.latest });
  const { known, ask } = createConfirmations({
    time,
    client,
    store,
    ended,
    refusals,
    budget,
    rotations,
    onConfirmed(identity, digest, newDigest) {
      ofTerminals.follow(digest, newDigest, identity.userId, time.latest());
      people.learn(identity);
    },
  });
  let askingSelf: Promise<Identity> | null = null;
  const signOutListeners: ((isOfSession: (token: string) => boolean) => void)[] = [];

  /** The back-office has given another token to a session that is known. */
  function noteRotation(token: string, newToken: string): void {
    const digest = store.digestOf(token);
    const newDigest = store.digestOf(newToken);
    const found = store.find(digest);
    if (found === null) return;
    ofTerminals.follow(digest, newDigest, found.identity.userId, time.latest());
    store.save(newDigest, found.identity, found.confirmedAt, store.sessionOf(digest));
    rotations.add(token, newToken);
  }

  function forget(digest: string): void {
    store.remove(digest);
    ofTerminals.remove(digest);
  }

  async function identify(shown: string, peer: string, trustMs = 0): Promise<Identified> {
    const token = rotations.newestOf(shown);
    const rotated = token === shown ? {} : { newToken: token };
    const digest = store.digestOf(token);
    const trusted = trustMs > 0 ? known(digest, trustMs) : null;
    if (trusted !== null) {
      // Asked ahead of time: what screens read all the time must not wait for a slow back-office.
      if (known(digest, trustMs / 2) === null) void ask(token, peer, KNOWN_WAIT_MS).catch(() => {});
      return { ...rotated, identity: trusted, offline: false };
    }
    const waitMs = known(digest, DAY_MS) === null ? UNKNOWN_WAIT_MS : KNOWN_WAIT_MS;
    try {
      return { ...rotated, ...(await ask(token, peer, waitMs)) };
    } catch (error) {
      const cached = known(digest, DAY_MS);
      if (cached !== null && isUnreachable(error)) return { ...rotated, identity: cached, offline: true };
      // Another call has rotated it meanwhile, so what was refused is an old token.
      if (!isUnreachable(error) && rotations.newestOf(shown) !== token) return identify(shown, peer, trustMs);
      throw error;
    }
  }

  time.onCorrected((byMs) => {
    try {
      store.move(byMs);
      ended.move(byMs);
      ofTerminals.move(byMs);
    } catch (error) {
      world.log.error({ err: error }, "the times of confirmations could not be corrected");
    }
  });

  return {
    /**
     * Finds out whose a session is. A confirmation younger than `trustMs` counts without a call; while the back-office
     * cannot be reached, one of the last 24 h. Throws a BackOfficeError (unreachable and unknown, or refused), or
     * RATE_LIMITED when `peer` has shown too many tokens that are no sessions.
     */
    identify,

    /** The same by a call made now; no earlier confirmation counts. */
    async identifyNow(shown: string, peer: string): Promise<Identity> {
      return (await ask(rotations.newestOf(shown), peer, UNKNOWN_WAIT_MS)).identity;
    },

    /** Whether a session was opened at a terminal's sign-in. */
    isTerminals: (shown: string): boolean =>
      ofTerminals.has(store.digestOf(rotations.newestOf(shown))) || ofTerminals.has(store.digestOf(shown)),

    /** Whether a session was opened here with the password within the last `PASSWORD_COUNTS_MS`, in this run of the hub. */
    isPasswordRecent: (shown: string): boolean => passwords.has(store.sessionOf(store.digestOf(shown))),

    /** Whether the back-office has confirmed a session within the last `withinMs`. */
    isConfirmed: (shown: string, withinMs: number): boolean =>
      known(store.digestOf(rotations.newestOf(shown)), withinMs) !== null,

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
     * Makes a call with a user's own session. One that the back-office calls dead is refused from now on, unless it was
     * only rotated. Throws a BackOfficeError.
     */
    async useSession<T>(shown: string, call: (token: string) => Promise<Answer<T>>): Promise<T> {
      const token = rotations.newestOf(shown);
      try {
        const { value, token: newToken } = await call(token);
        if (newToken !== token) noteRotation(token, newToken);
        return value;
      } catch (error) {
        if (!(error instanceof BackOfficeError) || error.kind !== "session_dead") throw error;
        if (rotations.newestOf(token) === token) {
          store.removeRefused(store.digestOf(token));
          throw error;
        }
        return (await call(rotations.newestOf(token))).value;
      }
    },

    /** The token to use from now on: another one when the back-office has rotated it. */
    newestOf: rotations.newestOf,

    /**
     * Ends a session with all its tokens: the hub refuses them from now on. Resolves with whether the back-office has
     * ended it too; otherwise the hub tries again later.
     */
    async signOut(shown: string): Promise<boolean> {
      const newest = rotations.newestOf(shown);
      const all = [newest, shown, ...rotations.olderThan(newest)];
      const tokens = new Map(all.map((token) => [store.digestOf(token), token]));
      const digests = store.digestsOfSession(store.digestOf(newest));
      const ending = ended.add(tokens, digests, () => {
        for (const digest of [...tokens.keys(), ...digests]) forget(digest);
      });
      const isOfSession = (token: string): boolean => {
        const digest = store.digestOf(token);
        return tokens.has(digest) || digests.has(digest);
      };
      // Before anything is waited for: what arrives from now on is refused.
      for (const listener of signOutListeners) listener(isOfSession);
      return ending;
    },
    /** Called as soon as a session is signed out, with what tells its tokens. */
    onSignOut: (listener: (isOfSession: (token: string) => boolean) => void): void =>
      void signOutListeners.push(listener),

    /** Signs a user in with name and password. What is opened at a terminal is good for terminals only. */
    async signIn(
      { login, password, place }: { login: string; password: string; place: SignInPlace },
      peer: string,
    ): Promise<{ token: string; identity: Identity }> {
      const { token, value: identity } = await client.authenticate(login, password, { lane: "signIn", peer });
      const digest = store.digestOf(token);
      const { userId } = identity;
      refusals.forget(digest);
      if (place === "terminal") {
        ofTerminals.add(digest, userId, time.latest());
        const excess = ofTerminals.excess(userId);
        if (excess.length > 0) await ended.add(new Map(), excess, () => excess.forEach(forget));
      } else if (ofTerminals.has(digest)) {
        ofTerminals.remove(digest);
      }
      store.save(digest, identity, time.latest());
      passwords.note(digest);
      people.learn(identity);
      return { token, identity };
    },

    start: ended.start,
    stop: ended.stop,
    /** To be called when the back-office answers again: sessions that ended meanwhile are ended there. */
    wake: ended.wake,

    /** Removes what is too old; to be called inside a write. */
    prune(): void {
      store.removeOlderThan(time.now() - DAY_MS);
      ended.prune();
      ofTerminals.prune(time.now());
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return error instanceof BackOfficeError && error.kind === "unreachable";
}
