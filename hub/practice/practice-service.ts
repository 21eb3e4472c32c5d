import type { PracticeStatus } from "@comanda/protocol";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { createPracticePlaces } from "./practice-places.ts";
import { createPracticeRuns, type RestaurantDeps } from "./practice-runs.ts";
import { createPracticeSessions } from "./practice-sessions.ts";

/** Each reset starts a thread. */
const RESET_EVERY_MS = 60_000;

export type PracticeService = ReturnType<typeof createPracticeService>;

/**
 * The practice of this restaurant: a second hub in its own thread and file, with a simulated back-office. It knows the
 * restaurant's menu, floor plan, stations and people, and nothing flows back. It starts on request and ends after some time
 * without activity. There is one at a time, and its data is never kept.
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

    /** Admits a person with their real session. Starts the practice if there is none. Throws UPSTREAM_UNAVAILABLE. */
    enter: (person: Person & { token: string }): Promise<string> =>
      runs.begin(() => {
        runs.current()?.trainees.set(person.userId, person.userName);
        runs.noteActivity();
        return sessions.give(person);
      }),

    /** Ends the practice sessions of a real session that was signed out, and their connections. */
    endSignedOut: (isOfSession: (token: string) => boolean): void =>
      sessions.endOf(isOfSession, runs.current()?.port ?? null),

    /** Starts the practice if there is none. Throws UPSTREAM_UNAVAILABLE. */
    begin: (): Promise<PracticeStatus> => runs.begin(status),

    /** Restarts the practice, at most once a minute: its data is deleted, and people continue in an empty restaurant. */
    async reset(): Promise<PracticeStatus> {
      const now = world.clock.monotonic();
      if (now - resetAt < RESET_EVERY_MS) {
        throw new HubError("RATE_LIMITED", "the practice was already reset for everyone less than a minute ago");
      }
      resetAt = now;
      return runs.beginAgain(status);
    },

    end: (): Promise<PracticeStatus> => runs.end("a manager ended it", status),

    /** The local port of the practice hub; null if there is none. */
    port: (): number | null => runs.current()?.port ?? null,
    makePlace: places.makePlace,
    hold: places.hold,

    /** Removes the files that a killed hub has left. */
    start: runs.removeLeftovers,
    stop: runs.stop,
  };
}
