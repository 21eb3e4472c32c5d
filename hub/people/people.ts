import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { createActorTokens, type Standing, type TokenUse } from "./actor-tokens.ts";
import { createDevicePeople } from "./device-people.ts";
import type { HourlyCounts } from "./hourly-counts.ts";
import type { Person } from "./person.ts";
import { createPersonStore } from "./person-store.ts";
import { createPinChecker, type PinAudit } from "./pin-checker.ts";
import { createPinLocks } from "./pin-locks.ts";
import { createPins } from "./pins.ts";
import { createScreenSessions } from "./screen-sessions.ts";

/** How often a repeated confirmation of a person is stored. */
const CONFIRMED_EVERY_MS = 60_000;

export type People = ReturnType<typeof createPeople>;

/** Who may act at this hub's terminals: PINs, and the tokens that say whose a mutation is. */
export function createPeople(deps: {
  world: World;
  db: Db;
  changes: ChangeLog;
  time: TrustedTime;
  audit: PinAudit;
  hourlyCounts: HourlyCounts;
  /** Whether every device accepts PINs, for hubs where PINs are no secret. */
  arePinsOpen: boolean;
}) {
  const { world, db, changes, time, audit, hourlyCounts, arePinsOpen } = deps;
  const store = createPersonStore(db);
  const tokens = createActorTokens(db, world, time.latest);
  const devices = createDevicePeople(db);
  const locks = createPinLocks(db, hourlyCounts, time.latest);
  const checkPin = createPinChecker({ changes, audit, store, locks });

  time.onCorrected((byMs) => {
    void writeOrLog(deps, "the times of actors could not be corrected", () =>
      [store, tokens, locks, hourlyCounts].forEach((each) => each.move(byMs)),
    );
  });

  /** Saves a person; call in a transaction. Revokes the PIN tokens of a new manager whose PIN is too short. */
  function save(person: Person): void {
    store.save(person);
    if (store.isPinTooShort(person.userId)) tokens.revokePins(person.userId);
  }

  function forgetDevice(deviceId: string): void {
    tokens.revokeDevice(deviceId);
    locks.clearDevice(deviceId);
    devices.clear(deviceId);
  }

  return {
    arePinsOpen,
    screens: createScreenSessions({ time, store, tokens, checkPin }),

    /** Updates a person whom the back-office has just confirmed. */
    learn(person: Person): void {
      const stored = store.get(person.userId);
      const now = time.latest();
      const sinceConfirmed = Math.abs(now - (store.confirmedAt(person.userId) ?? -Infinity));
      if (stored !== null && isSame(stored, person) && sinceConfirmed < CONFIRMED_EVERY_MS) return;
      void writeOrLog(deps, "a person's new rights could not be stored", () => {
        save(person);
        store.confirm(person.userId, now);
      });
    },

    /** Returns a token for a sign-in at a device; call in a transaction. With a new key it may be another device. */
    giveToken(person: Person, deviceId: string, hasNewKey: boolean): string {
      save(person);
      if (hasNewKey) devices.clear(deviceId);
      devices.note(deviceId, person);
      return tokens.give({ userId: person.userId, deviceId, isPin: false });
    },
    renewToken: tokens.renew,

    /** Returns the person of a device's token and whether it is valid for the use; null for an unknown token. */
    actor(token: string, deviceId: string, use: TokenUse): { person: Person; standing: Standing } | null {
      const found = tokens.find(token, deviceId, use);
      const person = found === null ? null : store.get(found.userId);
      return found === null || person === null ? null : { person, standing: found.standing };
    },
    /** Records an approval in the transaction of its mutation, so that it is valid for no other. */
    noteApproved: tokens.noteApproved,
    /** Records a use of a revoked token; call in a transaction. Returns whether it is the first one. */
    noteRevokedUse: tokens.noteReported,

    ...createPins({ ...deps, store, tokens, devices, locks, checkPin, save }),

    /** Requires a new sign-in at the device; call in a transaction. */
    forgetDevice,
    /** Moves tokens, PIN users and misses to a device's new, unused name; call in a transaction. */
    renameDevice(from: string, to: string): void {
      // Clears what is left of an earlier device with this name.
      forgetDevice(to);
      tokens.renameDevice(from, to);
      locks.renameDevice(from, to);
      devices.rename(from, to);
    },
  };
}

/** Whether nothing has changed. A login that the back-office omits is no change. */
function isSame(stored: Person, person: Person): boolean {
  return (
    stored.userName === person.userName &&
    stored.role === person.role &&
    (person.login === null || stored.login === person.login) &&
    JSON.stringify(stored.permissions) === JSON.stringify(person.permissions)
  );
}
