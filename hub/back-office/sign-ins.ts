import type { BackOfficeClient } from "./client.ts";
import type { SessionStores } from "./session-stores.ts";
import type { Identity } from "./session-calls.ts";

/** Where a user enters login and password. */
export type SignInPlace = "screens" | "terminal";

/** Opens and ends sessions. */
export function createSignIns(
  deps: SessionStores & { client: BackOfficeClient; people: { learn(identity: Identity): void } },
) {
  const { time, client, store, terminalSessions, rotations, ended, refusals, passwords, newest, people } = deps;
  const signOutListeners: ((isOfSession: (token: string) => boolean) => void)[] = [];

  function forget(digest: string): void {
    store.remove(digest);
    terminalSessions.remove(digest);
  }

  return {
    /** Signs a user in with login and password. A session opened at a terminal is only valid for terminals. */
    async signIn(
      { login, password, place }: { login: string; password: string; place: SignInPlace },
      peer: string,
    ): Promise<{ token: string; identity: Identity }> {
      let sent = 0;
      const onTurn = (): void => {
        sent = newest.question();
      };
      const { token, value } = await client.authenticate(login, password, { lane: "signIn", peer, onTurn });
      const identity = newest.answered(value, sent);
      const digest = store.digestOf(token);
      const { userId } = identity;
      refusals.forget(digest);
      if (place === "terminal") {
        terminalSessions.add(digest, userId, time.latest());
        const excess = terminalSessions.excess(userId);
        if (excess.length > 0) await ended.add(new Map(), excess, () => excess.forEach(forget));
      } else if (terminalSessions.has(digest)) {
        terminalSessions.remove(digest);
      }
      store.save(digest, identity, time.latest());
      passwords.note(digest);
      people.learn(identity);
      return { token, identity };
    },

    /**
     * Ends a session: the hub refuses all its tokens from now on. Resolves with whether the back-office has ended it too;
     * if not, the hub retries later.
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
      // Before anything is awaited, so that requests that arrive from now on are refused.
      for (const listener of signOutListeners) listener(isOfSession);
      return ending;
    },
    /** Called as soon as a session is signed out, with a function that tells whether a token belongs to it. */
    onSignOut: (listener: (isOfSession: (token: string) => boolean) => void): void =>
      void signOutListeners.push(listener),
  };
}
