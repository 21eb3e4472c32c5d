import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { matchesPin } from "./pin-digest.ts";
import type { PinLocks, PinPlace } from "./pin-locks.ts";

/** What a PIN gives: a token to act with, until `expiresAt` (ms since 1970). */
export interface GivenActor {
  token: string;
  person: Person;
  expiresAt: number;
}

export type PinJudge = ReturnType<typeof createPinJudge>;

/** Compares PINs, and counts the misses. */
export function createPinJudge({ changes, store, locks }: { changes: ChangeLog; store: PersonStore; locks: PinLocks }) {
  /**
   * Gives something for a right PIN, in the transaction that clears the misses; `onLocked` runs in that of a miss too many.
   * Refuses a wrong PIN with UNAUTHENTICATED, and everything for a while after five of them with RATE_LIMITED.
   */
  return async function judgePin<T>(
    place: PinPlace,
    pin: string,
    give: (tx: Tx, person: Person) => T,
    onLocked?: (tx: Tx, person: Person) => void,
  ): Promise<T> {
    const stored = store.pin(place.userId);
    if (stored === null) throw new HubError("UNAUTHENTICATED", "userId: this person has set no PIN here");
    const isRight = await locks.attempt(place, () => matchesPin(pin, stored));
    const judged = await changes.write((tx): { given: T } | null => {
      const person = store.get(place.userId);
      // It may have been reset while it was compared.
      const isPresent = store.pin(place.userId)?.digest.equals(stored.digest) === true;
      if (isRight && isPresent && person !== null) {
        locks.clear(place);
        return { given: give(tx, person) };
      }
      const isLocked = locks.noteMiss(place);
      if (isLocked && person !== null) onLocked?.(tx, person);
      return null;
    });
    if (judged === null) throw new HubError("UNAUTHENTICATED", "pin: this is not the PIN of this person");
    return judged.given;
  };
}
