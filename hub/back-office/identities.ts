import { DAY_MS } from "@comanda/protocol";
import { BackOfficeError } from "./back-office-error.ts";
import { createConfirmations, type Identified, type StrangerBudget } from "./confirmations.ts";
import { createHeldSessions } from "./held-sessions.ts";
import type { OwnSession } from "./own-session.ts";
import type { Identity } from "./session-calls.ts";
import { createSessionUse } from "./session-use.ts";
import { createSignIns } from "./sign-ins.ts";

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
  deps: Parameters<typeof createHeldSessions>[0] & {
    own: OwnSession;
    /** Gets everybody whom the back-office confirms. */
    people: { learn(identity: Identity): void };
    budget: StrangerBudget;
  },
) {
  const { world, time, client, own, budget } = deps;
  const confirmedListeners: ((identity: Identity) => void)[] = [];
  const held = createHeldSessions(deps);
  const { store, ofTerminals, rotations, ended, passwords } = held;
  const people = {
    learn(identity: Identity): void {
      deps.people.learn(identity);
      for (const listener of confirmedListeners) listener(identity);
    },
  };
  const { known, ask } = createConfirmations({
    ...held,
    client,
    budget,
    onConfirmed(identity, digest, newDigest) {
      ofTerminals.follow(digest, newDigest, identity.userId, time.latest());
      people.learn(identity);
    },
  });
  let askingSelf: Promise<Identity> | null = null;

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

    ...createSessionUse(held),
    /** The token to use from now on: another one when the back-office has rotated it. */
    newestOf: rotations.newestOf,

    ...createSignIns({ ...deps, ...held, people }),
    /** Called with everybody whom the back-office confirms: that is what it says of them by now. */
    onConfirmed: (listener: (identity: Identity) => void): void => void confirmedListeners.push(listener),

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
