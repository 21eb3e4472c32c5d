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
import { createPinJudge, type PinAudit } from "./pin-judge.ts";
import { createPinLocks } from "./pin-locks.ts";
import { createPins } from "./pins.ts";
import { createScreenSessions } from "./screen-sessions.ts";

/** That somebody was confirmed again is stored this often. */
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
  /** Every device takes PINs: where they are no secret. */
  arePinsOpen: boolean;
}) {
  const { world, db, changes, time, audit, hourlyCounts, arePinsOpen } = deps;
  const store = createPersonStore(db);
  const tokens = createActorTokens(db, world, time.latest);
  const devices = createDevicePeople(db);
  const locks = createPinLocks(db, hourlyCounts, time.latest);
  const judgePin = createPinJudge({ changes, audit, store, locks });

  time.onCorrected((byMs) => {
    void writeOrLog(deps, "the times of actors could not be corrected", () =>
      [store, tokens, locks, hourlyCounts].forEach((each) => each.move(byMs)),
    );
  });

  /** Inside a write. A new manager cannot use a PIN that is too short for one. */
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
    screens: createScreenSessions({ time, store, tokens, judgePin }),

    /** The back-office has confirmed somebody: what is stored of them follows. */
    learn(person: Person): void {
      const known = store.get(person.userId);
      const now = time.latest();
      const sinceConfirmed = Math.abs(now - (store.confirmedAt(person.userId) ?? -Infinity));
      if (known !== null && isSame(known, person) && sinceConfirmed < CONFIRMED_EVERY_MS) return;
      void writeOrLog(deps, "a person's new rights could not be stored", () => {
        save(person);
        store.confirm(person.userId, now);
      });
    },

    /** The token of somebody who signs in at a device, to be called inside a write; one with a new key may be another device. */
    giveToken(person: Person, deviceId: string, hasNewKey: boolean): string {
      save(person);
      if (hasNewKey) devices.clear(deviceId);
      devices.note(deviceId, person);
      return tokens.give({ userId: person.userId, deviceId, isPin: false });
    },
    renewToken: tokens.renew,

    /** Whose a token of this device is, and whether it counts for what it is shown for; null for one that is none. */
    actor(token: string, deviceId: string, use: TokenUse): { person: Person; standing: Standing } | null {
      const found = tokens.find(token, deviceId, use);
      const person = found === null ? null : store.get(found.userId);
      return found === null || person === null ? null : { person, standing: found.standing };
    },
    /** Inside the write that carries a mutation out: its approval counts for no other. */
    noteApproved: tokens.noteApproved,
    /** Inside a write: whether this is the first time that something came with a revoked token. */
    noteRevokedUse: tokens.noteReported,

    ...createPins({ ...deps, store, tokens, devices, locks, judgePin, save }),

    /** Inside a write: what arrives from this device from now on needs a new sign-in. */
    forgetDevice,
    /** Inside a write: a device has another name, which no other has. Its tokens, who may use a PIN there, and misses go with it. */
    renameDevice(from: string, to: string): void {
      // What is left of a device that had this name before.
      forgetDevice(to);
      tokens.renameDevice(from, to);
      locks.renameDevice(from, to);
      devices.rename(from, to);
    },
  };
}

/** A login that the back-office leaves out is no change. */
function isSame(known: Person, person: Person): boolean {
  return (
    known.userName === person.userName &&
    known.role === person.role &&
    (person.login === null || known.login === person.login) &&
    JSON.stringify(known.permissions) === JSON.stringify(person.permissions)
  );
}
