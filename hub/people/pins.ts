import { fewestPinDigits } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { ACTOR_TTL_MS, type ActorTokens } from "./actor-tokens.ts";
import type { DevicePeople } from "./device-people.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { digestPin } from "./pin-digest.ts";
import type { GivenActor, PinAudit, PinJudge } from "./pin-judge.ts";
import type { PinAttempt, PinLocks } from "./pin-locks.ts";

const SALT_BYTES = 16;

/** PINs: who has one, where it counts, and what comes of an attempt. */
export function createPins(deps: {
  world: World;
  changes: ChangeLog;
  audit: PinAudit;
  store: PersonStore;
  tokens: ActorTokens;
  devices: DevicePeople;
  locks: PinLocks;
  judgePin: PinJudge;
  /** Every device takes PINs: where they are no secret. */
  arePinsOpen: boolean;
  /** Inside a write: stores somebody who was confirmed. */
  save(person: Person): void;
}) {
  const { world, changes, audit, store, tokens, devices, locks, judgePin, arePinsOpen, save } = deps;

  function takesPinOf(deviceId: string, userId: number): boolean {
    return arePinsOpen || devices.takesPinOf(deviceId, userId);
  }

  return {
    /** Sets the PIN of somebody who has signed in with the password. Refuses one that is too short for the role with VALIDATION_ERROR. */
    async setPin(person: Person, pin: string): Promise<void> {
      const fewest = fewestPinDigits(person.role);
      if (pin.length < fewest) throw new HubError("VALIDATION_ERROR", `pin: a manager's must be ${fewest} to 8 digits`);
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
     * Refuses a wrong PIN with UNAUTHENTICATED, everything after too many with RATE_LIMITED, and with CONFIRMATION_NEEDED what
     * only a sign-in with the password can open. Nobody learns from a refusal without a comparison whether the PIN was right.
     */
    async enterPin(attempt: PinAttempt, pin: string, isApproval = false): Promise<GivenActor> {
      const { userId, deviceId } = attempt;
      if (!takesPinOf(deviceId, userId)) {
        const why = "a manager, or the person whose PIN it is, has to sign in at this device with the password first";
        throw new HubError("CONFIRMATION_NEEDED", why);
      }
      if (store.isPinTooShort(userId)) {
        const why = `a manager's PIN has ${fewestPinDigits("manager")} digits or more: sign in with the password and set one`;
        throw new HubError("CONFIRMATION_NEEDED", why);
      }
      return judgePin(attempt, pin, (tx, person) => {
        const expiresAt = tx.now + ACTOR_TTL_MS;
        return { token: tokens.give({ userId, deviceId, isPin: true, isApproval }), person, expiresAt };
      });
    },

    /** Whether somebody has a PIN that is good for the role they have now. */
    hasPin: (userId: number): boolean => store.pin(userId) !== null && !store.isPinTooShort(userId),

    /** Inside a write: whose PIN it was; null when there was none. What arrives from now on needs a new one. */
    resetPin(userId: number): Person | null {
      tokens.revokePins(userId);
      locks.clearUser(userId);
      return store.removePin(userId) ? store.get(userId) : null;
    },

    /** Those who may use a PIN, by name. */
    list: () =>
      store.listWithPin().map((each) => ({
        ...each,
        lockedDevices: locks.lockedDevices(each.person.userId),
        lockedUntil: locks.lockedUntil(each.person.userId),
      })),
    /** Those who may use one on this device, by name. */
    listAt: (deviceId: string): Person[] =>
      store.listWithPin().flatMap(({ person }) => (takesPinOf(deviceId, person.userId) ? [person] : [])),
  };
}
