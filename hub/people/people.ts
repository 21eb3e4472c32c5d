import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { ACTOR_TTL_MS, createActorTokens } from "./actor-tokens.ts";
import type { Person } from "./person.ts";
import { createPersonStore } from "./person-store.ts";
import { digestPin, matchesPin } from "./pin-digest.ts";
import { createPinLocks, type PinPlace } from "./pin-locks.ts";

const SALT_BYTES = 16;

/** What a PIN gives: a token to act with, until `expiresAt` (ms since 1970). */
export interface GivenActor {
  token: string;
  person: Person;
  expiresAt: number;
}

export type People = ReturnType<typeof createPeople>;

/** Who may act at this hub's terminals: PINs, and the tokens that say whose a mutation is. */
export function createPeople(deps: { world: World; db: Db; changes: ChangeLog; time: TrustedTime }) {
  const { world, db, changes, time } = deps;
  const store = createPersonStore(db);
  const tokens = createActorTokens(db, world, time.latest);
  const locks = createPinLocks(db, time.latest);

  time.onCorrected((byMs) => {
    changes
      .write(() => {
        tokens.move(Math.round(byMs));
        locks.move(Math.round(byMs));
      })
      .catch((error: unknown) => world.log.error({ err: error }, "the times of actors could not be corrected"));
  });

  return {
    /** The back-office has confirmed somebody: what is stored of them follows. */
    learn(person: Person): void {
      const known = store.get(person.userId);
      if (known === null || isSame(known, person)) return;
      changes
        .write(() => store.save(person))
        .catch((error: unknown) => world.log.error({ err: error }, "a person's new rights could not be stored"));
    },

    /** The token of somebody who signs in at a device, to be called inside a write. */
    giveToken(person: Person, deviceId: string): string {
      store.save(person);
      return tokens.give({ userId: person.userId, deviceId, isPin: false });
    },
    renewToken: tokens.renew,

    /** Whose a token of this device is, and whether it was valid `ageMs` ago; null for one that is none. */
    actor(token: string, deviceId: string, ageMs: number): { person: Person; isValid: boolean } | null {
      const found = tokens.find(token, deviceId, ageMs);
      const person = found === null ? null : store.get(found.userId);
      return found === null || person === null ? null : { person, isValid: found.isValid };
    },

    /** Sets the PIN of somebody who has signed in with the password. */
    async setPin(person: Person, pin: string): Promise<void> {
      const salt = world.random.bytes(SALT_BYTES);
      const digest = await digestPin(pin, salt);
      await changes.write((tx) => {
        store.save(person);
        store.setPin(person.userId, { salt, digest }, tx.now);
        locks.clearUser(person.userId);
      });
    },

    /** Refuses a wrong PIN with UNAUTHENTICATED, and everything for a while after five of them with RATE_LIMITED. */
    async enterPin(place: PinPlace, pin: string): Promise<GivenActor> {
      const stored = store.pin(place.userId);
      if (stored === null) throw new HubError("UNAUTHENTICATED", "userId: this person has set no PIN here");
      const isRight = await locks.attempt(place, () => matchesPin(pin, stored));
      const given = await changes.write((tx): GivenActor | null => {
        const person = store.get(place.userId);
        // It may have been reset while it was compared.
        const isPresent = store.pin(place.userId)?.digest.equals(stored.digest) === true;
        if (!isRight || !isPresent || person === null) {
          locks.noteMiss(place);
          return null;
        }
        locks.clear(place);
        return { token: tokens.give({ ...place, isPin: true }), person, expiresAt: tx.now + ACTOR_TTL_MS };
      });
      if (given === null) throw new HubError("UNAUTHENTICATED", "pin: this is not the PIN of this person");
      return given;
    },

    /** Inside a write: false when there was no PIN. What is queued from now on needs a new one. */
    resetPin(userId: number): boolean {
      tokens.endPins(userId);
      locks.clearUser(userId);
      return store.removePin(userId);
    },
    /** Inside a write: what is queued at this device from now on needs a new sign-in. */
    forgetDevice(deviceId: string): void {
      tokens.endDevice(deviceId);
      locks.clearDevice(deviceId);
    },

    /** Those who may use a PIN, by name. */
    list: () =>
      store.listWithPin().map((each) => ({ ...each, lockedDevices: locks.lockedDevices(each.person.userId) })),
  };
}

function isSame(a: Person, b: Person): boolean {
  return (
    a.userName === b.userName && a.role === b.role && JSON.stringify(a.permissions) === JSON.stringify(b.permissions)
  );
}
