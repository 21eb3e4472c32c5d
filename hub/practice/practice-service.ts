import type { PracticeStatus } from "@comanda/protocol";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { createPracticePlaces } from "./practice-places.ts";
import { createPracticeRuns, type RestaurantDeps } from "./practice-runs.ts";
import { createPracticeSessions } from "./practice-sessions.ts";

/** Each time a thread is started. */
const RESET_EVERY_MS = 60_000;

export type PracticeService = ReturnType<typeof createPracticeService>;

/**
 * The practice of this restaurant: a second hub in a thread of its own, on a file of its own, with a back-office that
 * is none. It knows the restaurant's menu, plan, stations and people; nothing of it comes back. It begins when somebody
 * asks for it and ends when nothing has been done for a while. There is one at a time, and what was done in it is never
 * kept.
 */
export function createPracticeService(deps: RestaurantDeps) {
  const { world } = deps;
  const secret = world.random.bytes(32).toString("base64url");
  const places = createPracticePlaces(world.clock.monotonic);
  const sessions = createPracticeSessions(world, secret);
  const runs = createPracticeRuns({ ...deps, secret, sessions, places });
  let resetAt = -Infinity;

  function status(): PracticeStatus {
    const run = runs.current();
    if (run === null) return { since: null, people: [], devices: 0 };
    return { since: isoTime(run.startedAt), people: [...run.trainees.values()], devices: places.count() };
  }

  return {
    status,

    /**
     * Lets somebody in with their session of the real hub, and begins the practice if there is none. Refuses with
     * UPSTREAM_UNAVAILABLE.
     */
    enter: (person: Person & { token: string }): Promise<string> =>
      runs.begin(() => {
        runs.current()?.trainees.set(person.userId, person.userName);
        runs.noteActivity();
        return sessions.give(person);
      }),

    /** Ends what belongs to a session of the real hub that was signed out, with its connections. */
    endSignedOut: (isOfSession: (token: string) => boolean): void =>
      sessions.endOf(isOfSession, runs.current()?.port ?? null),

    /** Begins it, if there is none. Refuses with UPSTREAM_UNAVAILABLE. */
    begin: (): Promise<PracticeStatus> => runs.begin(status),

    /** Begins again, once a minute at most: what was done is gone, and everybody continues in an empty restaurant. */
    async reset(): Promise<PracticeStatus> {
      const now = world.clock.monotonic();
      if (now - resetAt < RESET_EVERY_MS) {
        throw new HubError(
          "RATE_LIMITED",
          "the practice was reset less than a minute ago; everybody is in the new one",
        );
      }
      resetAt = now;
      return runs.beginAgain(status);
    },

    end: (): Promise<PracticeStatus> => runs.end("a manager ended it", status),

    /** Where its hub listens on this machine; null while there is none. */
    port: (): number | null => runs.current()?.port ?? null,
    makePlace: places.makePlace,
    hold: places.hold,

    /** Removes what a hub that was killed has left. */
    start: runs.removeLeftovers,
    stop: runs.stop,
  };
}
