import { BackOfficeError } from "./back-office-error.ts";
import type { SessionStores } from "./session-stores.ts";
import type { Answer } from "./transport.ts";

/** Makes calls with users' own sessions, which the back-office may rotate or report as dead. */
export function createSessionUse({
  time,
  store,
  terminalSessions,
  rotations,
}: Pick<SessionStores, "time" | "store" | "terminalSessions" | "rotations">) {
  /** Stores the new token that the back-office gave to a known session. */
  function noteRotation(token: string, newToken: string): void {
    const digest = store.digestOf(token);
    const newDigest = store.digestOf(newToken);
    const found = store.find(digest);
    if (found === null) return;
    terminalSessions.follow(digest, newDigest, found.identity.userId, time.latest());
    store.save(newDigest, found.identity, found.confirmedAt, store.sessionOf(digest));
    rotations.add(token, newToken);
  }

  /**
   * Makes a call with a user's own session. If the back-office reports it as dead, retries if it was only rotated, else
   * removes it. Throws a BackOfficeError.
   */
  async function useSession<T>(shown: string, call: (token: string) => Promise<Answer<T>>): Promise<T> {
    const token = rotations.newestOf(shown);
    try {
      const { value, token: newToken } = await call(token);
      if (newToken !== token) noteRotation(token, newToken);
      return value;
    } catch (error) {
      if (!(error instanceof BackOfficeError) || error.kind !== "session_dead") throw error;
      if (rotations.newestOf(token) !== token) return useSession(token, call);
      store.removeRefused(store.digestOf(token));
      throw error;
    }
  }

  return { useSession };
}
