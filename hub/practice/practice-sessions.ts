import { request } from "node:http";
import type { Person } from "../people/person.ts";
import type { World } from "../platform/world.ts";
import { signPracticeSession } from "./practice-session.ts";

export type PracticeSessions = ReturnType<typeof createPracticeSessions>;

/** The sessions that people got for the practice, each for one of the real hub. */
export function createPracticeSessions({ log }: Pick<World, "log">, secret: string) {
  /** With the real hub's session that each belongs to. */
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
    /** Those that were signed out in this run of the hub. */
    ended: (): readonly string[] => [...ended],
    /**
     * Ends what belongs to a session of the real hub that was signed out. `port` is where the practice hub listens; one that
     * does not run has no connections to close.
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
