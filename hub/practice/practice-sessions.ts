import { request } from "node:http";
import type { Person } from "../people/person.ts";
import type { World } from "../platform/world.ts";
import { signPracticeSession } from "./practice-session.ts";

export type PracticeSessions = ReturnType<typeof createPracticeSessions>;

/** The practice sessions, each for one session of the real hub. */
export function createPracticeSessions({ log }: Pick<World, "log">, secret: string) {
  /** By practice session, the real hub's session. */
  const sessions = new Map<string, string>();
  const ended = new Set<string>();

  /** Signs a session out at the practice hub, which closes its connections. */
  function signOut(port: number, session: string): void {
    const headers = { authorization: `Bearer ${session}` };
    const call = request({ host: "127.0.0.1", port, method: "POST", path: "/terminal/v1/sign-out", headers });
    call.on("response", (answer) => answer.resume());
    call.on("error", (error) => log.warn({ err: error }, "a session of the practice could not be signed out"));
    call.end();
  }

  return {
    give(person: Person & { token: string }): string {
      const session = signPracticeSession(person, secret, person.token);
      sessions.set(session, person.token);
      return session;
    },
    /** The sessions that were signed out in this run of the hub. */
    ended: (): readonly string[] => [...ended],
    /**
     * Ends the practice sessions of a real session that was signed out. `port` is the practice hub's, or null if none is
     * running and so has no connections to close.
     */
    endOf(isOfSession: (token: string) => boolean, port: number | null): void {
      for (const [session, token] of sessions) {
        if (!isOfSession(token)) continue;
        sessions.delete(session);
        ended.add(session);
        if (port !== null) signOut(port, session);
      }
    },
  };
}
