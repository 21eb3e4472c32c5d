import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { ACTOR_TTL_MS, createActorTokens } from "./actor-tokens.ts";
import type { Person } from "./person.ts";
import { createPersonStore } from "./person-store.ts";
import { digestPin } from "./pin-digest.ts";
import { createPinJudge, type GivenActor } from "./pin-judge.ts";
import { createPinLocks, type PinPlace } from "./pin-locks.ts";
import { createScreenSessions } from "./screen-sessions.ts";

const SALT_BYTES = 16;
/** That somebody was confirmed again is stored this often. */
const CONFIRMED_EVERY_MS = 60_000;

export type People = ReturnType<typeof createPeople>;

/** Who may act at this hub's terminals: PINs, and the tokens that say whose a mutation is. */
export function createPeople(deps: { world: World; db: Db; changes: ChangeLog; time: TrustedTime }) {
  const { world, db, changes, time } = deps;
  const store = createPersonStore(db);
  const tokens = createActorTokens(db, world, time.latest);
  const locks = createPinLocks(db, time.latest);
  const judgePin = createPinJudge({ changes, store, locks });

  time.onCorrected((byMs) => {
    changes
      .write(() => {
        store.move(Math.round(byMs));
        tokens.move(Math.round(byMs));
        locks.move(Math.round(byMs));
      })
      .catch((error: unknown) => world.log.error({ err: error }, "the times of actors could not be corrected"));
  });

  return {
    screens: createScreenSessions({ time, store, tokens, judgePin }),

    /** The back-office has confirmed somebody: what is stored of them follows. */
    learn(person: Person): void {
      const known = store.get(person.userId);
      const now = time.latest();
      const sinceConfirmed = Math.abs(now - (store.confirmedAt(person.userId) ?? -Infinity));
      if (known !== null && isSame(known, person) && sinceConfirmed < CONFIRMED_EVERY_MS) return;
      changes
        .write(() => {
          store.save(person);
          store.confirm(person.userId, now);
        })
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

    /** Sets the PIN of somebody who has signed in with the password, with `alsoWrite` in the same write. */
    async setPin(person: Person, pin: string, alsoWrite: (tx: Tx) => void = () => {}): Promise<void> {
      const salt = world.random.bytes(SALT_BYTES);
      const digest = await digestPin(pin, salt);
      await changes.write((tx) => {
        store.save(person);
        store.setPin(person.userId, { salt, digest }, tx.now);
        locks.clearUser(person.userId);
        alsoWrite(tx);
      });
    },

    /** Refuses a wrong PIN with UNAUTHENTICATED, and everything for a while after five of them with RATE_LIMITED. */
    async enterPin(place: PinPlace, pin: string): Promise<GivenActor> {
      return judgePin(place, pin, (tx, person) => {
        const expiresAt = tx.now + ACTOR_TTL_MS;
        return { token: tokens.give({ ...place, isPin: true }), person, expiresAt };
      });
    },

    hasPin: (userId: number): boolean => store.pin(userId) !== null,

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

/** A login that the back-office does not tell is no change. */
function isSame(known: Person, person: Person): boolean {
  return (
    known.userName === person.userName &&
    known.role === person.role &&
    (person.login === null || known.login === person.login) &&
    JSON.stringify(known.permissions) === JSON.stringify(person.permissions)
  );
}
