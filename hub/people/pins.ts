import { minPinDigits } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { ACTOR_TTL_MS, type ActorTokens } from "./actor-tokens.ts";
import type { DevicePeople } from "./device-people.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { digestPin } from "./pin-digest.ts";
import type { IssuedActor, PinAudit, PinChecker } from "./pin-checker.ts";
import type { PinAttempt, PinLocks } from "./pin-locks.ts";

const SALT_BYTES = 16;

/** PINs: who has one, where it is accepted, and the result of an attempt. */
export function createPins(deps: {
  world: World;
  changes: ChangeLog;
  audit: PinAudit;
  store: PersonStore;
  tokens: ActorTokens;
  devices: DevicePeople;
  locks: PinLocks;
  checkPin: PinChecker;
  /** Whether every device accepts PINs, for hubs where PINs are no secret. */
  arePinsOpen: boolean;
  /** Saves a confirmed person; called in a transaction. */
  save(person: Person): void;
}) {
  const { world, changes, audit, store, tokens, devices, locks, checkPin, arePinsOpen, save } = deps;

  function takesPinOf(deviceId: string, userId: number): boolean {
    return arePinsOpen || devices.takesPinOf(deviceId, userId);
  }

  return {
    /** Sets the PIN of a person signed in with the password. Throws VALIDATION_ERROR if it is too short for the role. */
    async setPin(person: Person, pin: string): Promise<void> {
      const minDigits = minPinDigits(person.role);
      if (pin.length < minDigits)
        throw new HubError("VALIDATION_ERROR", `pin: a manager's must be ${minDigits} to 8 digits`);
      const salt = world.random.bytes(SALT_BYTES);
      const digest = await digestPin(pin, salt);
      await changes.write((tx) => {
        save(person);
        store.setPin(person.userId, { salt, digest, digits: pin.length }, tx.now);
        locks.clearDevicesOf(person.userId);
        audit.record(tx, person.userName, "person.set_pin", String(person.userId));
        tx.notify(["people"]);
      });
    },

    /**
     * Returns a token for a right PIN. Throws UNAUTHENTICATED for a wrong one, RATE_LIMITED after too many, and
     * CONFIRMATION_NEEDED if a password sign-in is needed first; the latter two do not reveal whether the PIN was right.
     */
    async enterPin(attempt: PinAttempt, pin: string, isApproval = false): Promise<IssuedActor> {
      const { userId, deviceId } = attempt;
      if (!takesPinOf(deviceId, userId)) {
        const message =
          "a manager, or the person whose PIN it is, has to sign in at this device with the password first";
        throw new HubError("CONFIRMATION_NEEDED", message);
      }
      if (store.isPinTooShort(userId)) {
        const message = `a manager's PIN has ${minPinDigits("manager")} digits or more: sign in with the password and set one`;
        throw new HubError("CONFIRMATION_NEEDED", message);
      }
      return checkPin(attempt, pin, (tx, person) => {
        const expiresAt = tx.now + ACTOR_TTL_MS;
        return { token: tokens.give({ userId, deviceId, isPin: true, isApproval }), person, expiresAt };
      });
    },

    /** Whether a person has a PIN that is long enough for their current role. */
    hasPin: (userId: number): boolean => store.pin(userId) !== null && !store.isPinTooShort(userId),

    /** Removes a PIN and revokes its tokens; call in a transaction. Returns its person, or null if there was none. */
    resetPin(userId: number): Person | null {
      tokens.revokePins(userId);
      locks.clearUser(userId);
      return store.removePin(userId) ? store.get(userId) : null;
    },

    /** People with a PIN and their locks, by name. */
    list: () =>
      store.listWithPin().map((each) => ({
        ...each,
        lockedDevices: locks.lockedDevices(each.person.userId),
        lockedUntil: locks.lockedUntil(each.person.userId),
      })),
    /** People whose PIN the device accepts, by name. */
    listAt: (deviceId: string): Person[] =>
      store.listWithPin().flatMap(({ person }) => (takesPinOf(deviceId, person.userId) ? [person] : [])),
  };
}
