import type { Db } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";
import { isLoopback } from "../platform/loopback.ts";
import type { HourlyCounts } from "./hourly-counts.ts";

/** This many wrong PINs lock a person out on a device, for this long. */
export const MAX_MISSES = 5;
export const LOCKED_MS = 5 * 60_000;

/** This many wrong PINs within an hour, on all devices together, leave a person only the password. */
const MAX_PER_PERSON = 20;
/** After this many wrong PINs of anyone within an hour, an address or a signed-in user may enter no more. */
const MAX_PER_SENDER = 40;

interface Misses {
  misses: number;
  /** In the time of `now`; 0 if not locked. */
  lockedUntil: number;
}

/** A person at a device. */
export interface PinPlace {
  userId: number;
  deviceId: string;
}

/** Whose PIN is entered, and by whom. */
export interface PinAttempt extends PinPlace {
  /** The network address of the request. */
  peer: string;
  /** The user signed in there, or null. */
  senderId: number | null;
  /** Whether it is entered at the screens of the hub's own computer, where nobody elsewhere can cause a lockout. */
  isHubScreen?: boolean;
}

/** What a miss has locked: a person on a device, a person everywhere, or all PINs from an address or user. */
export type PinLock = "device" | "person" | "sender";

interface HourlyLimit {
  subject: string;
  max: number;
  lock: PinLock;
}

export type PinLocks = ReturnType<typeof createPinLocks>;

/**
 * Counts wrong PINs. Stored, so that a restart gives no new attempts. `now` is a time in ms since 1970 that a change of the
 * wall clock does not move.
 */
export function createPinLocks(db: Db, counts: HourlyCounts, now: () => number) {
  const get = db.prepare<PinPlace, Misses>(
    "SELECT misses, locked_until AS lockedUntil FROM pin_misses WHERE user_id = @userId AND device_id = @deviceId",
  );
  const save = db.prepare<PinPlace & Misses>(`
    INSERT INTO pin_misses (user_id, device_id, misses, locked_until) VALUES (@userId, @deviceId, @misses, @lockedUntil)
    ON CONFLICT (user_id, device_id) DO UPDATE SET misses = excluded.misses, locked_until = excluded.locked_until`);
  const remove = db.prepare<PinPlace>("DELETE FROM pin_misses WHERE user_id = @userId AND device_id = @deviceId");
  const removeOfUser = db.prepare<[number]>("DELETE FROM pin_misses WHERE user_id = ?");
  const removeOfDevice = db.prepare<[string]>("DELETE FROM pin_misses WHERE device_id = ?");
  const renameDevice = db.prepare<{ from: string; to: string }>(
    "UPDATE pin_misses SET device_id = @to WHERE device_id = @from",
  );
  const listLocked = db.prepare<[number, number], { deviceId: string; lockedUntil: number }>(
    "SELECT device_id AS deviceId, locked_until AS lockedUntil FROM pin_misses WHERE user_id = ? AND locked_until > ?",
  );
  const move = db.prepare<[number]>("UPDATE pin_misses SET locked_until = locked_until + ? WHERE locked_until > 0");
  /** Number of running comparisons by subject, counted so that parallel attempts cannot exceed the limit. */
  const underWay = new Map<string, number>();

  /** Returns the misses that count. Those before an expired lock do not. */
  function missesOf({ userId, deviceId }: PinPlace): Misses {
    const row = get.get({ userId, deviceId });
    const isOver = row === undefined || (row.lockedUntil > 0 && row.lockedUntil <= now());
    return isOver ? { misses: 0, lockedUntil: 0 } : row;
  }

  /** Throws RATE_LIMITED if no attempts are left, counting those in progress. */
  function requireBelowLimit(attempt: PinAttempt): void {
    for (const { subject, max, lock } of hourlyLimits(attempt)) {
      if (counts.count(subject) + (underWay.get(subject) ?? 0) < max) continue;
      const minutes = minutesTo(counts.fullUntil(subject, max) ?? now());
      const origin = lock === "person" ? "of this person" : "from here";
      throw new HubError(
        "RATE_LIMITED",
        `${max} wrong PINs ${origin} within an hour: sign in with the password, or wait ${minutes} min`,
      );
    }
    const { misses, lockedUntil } = missesOf(attempt);
    if (misses + (underWay.get(deviceSubject(attempt)) ?? 0) < MAX_MISSES) return;
    const minutes = minutesTo(lockedUntil);
    throw new HubError("RATE_LIMITED", `${MAX_MISSES} wrong PINs: wait ${minutes} min, or sign in with the password`);
  }

  function minutesTo(at: number): number {
    return Math.max(1, Math.ceil((at - now()) / 60_000));
  }

  function addRunning(subject: string, by: 1 | -1): void {
    const count = (underWay.get(subject) ?? 0) + by;
    if (count > 0) underWay.set(subject, count);
    else underWay.delete(subject);
  }

  return {
    /** Compares a PIN. If it is locked, throws RATE_LIMITED without comparing, so that nothing is revealed. */
    async attempt(attempt: PinAttempt, compare: () => Promise<boolean>): Promise<boolean> {
      requireBelowLimit(attempt);
      const subjects = [deviceSubject(attempt), ...hourlyLimits(attempt).map(({ subject }) => subject)];
      for (const subject of subjects) addRunning(subject, 1);
      try {
        return await compare();
      } finally {
        for (const subject of subjects) addRunning(subject, -1);
      }
    },
    /** Records a miss; call in a transaction. Returns what it has locked. */
    noteMiss(attempt: PinAttempt): PinLock[] {
      const { userId, deviceId } = attempt;
      const misses = missesOf(attempt).misses + 1;
      const isLocked = misses >= MAX_MISSES;
      save.run({ userId, deviceId, misses, lockedUntil: isLocked ? now() + LOCKED_MS : 0 });
      const closed = hourlyLimits(attempt).flatMap(({ subject, max, lock }) => {
        counts.note(subject);
        return counts.count(subject) === max ? [lock] : [];
      });
      return isLocked ? ["device", ...closed] : closed;
    },
    /** Clears misses after a right PIN; call in a transaction. Misses at other devices stay: others may have made them. */
    clear: ({ userId, deviceId }: PinPlace): void => void remove.run({ userId, deviceId }),
    /** Clears a person's misses after a new PIN; call in a transaction. */
    clearDevicesOf: (userId: number): void => void removeOfUser.run(userId),
    /** Clears all counts of a person whose PIN a manager has removed; call in a transaction. */
    clearUser(userId: number): void {
      removeOfUser.run(userId);
      for (const isLocal of [true, false]) counts.clear(personSubject(userId, isLocal));
    },
    clearDevice: (deviceId: string): void => void removeOfDevice.run(deviceId),
    /** Call in a transaction, after `clearDevice` of the new name. Keeps misses, so that a rename gives no new attempts. */
    renameDevice: (from: string, to: string): void => void renameDevice.run({ from, to }),
    lockedDevices: (userId: number): { deviceId: string; lockedUntil: number }[] => listLocked.all(userId, now()),
    /** Until when a person can only use the password, ms since 1970; null if they are not restricted. */
    lockedUntil(userId: number): number | null {
      const ends = [true, false].map(
        (isLocal) => counts.fullUntil(personSubject(userId, isLocal), MAX_PER_PERSON) ?? 0,
      );
      return Math.max(...ends) || null;
    },
    /** Shifts all times after the clock was corrected. */
    move: (byMs: number): void => void move.run(byMs),
  };
}

/**
 * The hourly limits of an attempt. Misses at the hub's own computer and on the network count separately, and the computer's own
 * address is never locked, so nobody on the network can lock people out there.
 */
function hourlyLimits({ userId, peer, senderId, isHubScreen = false }: PinAttempt): HourlyLimit[] {
  if (isHubScreen) return [];
  const isLocal = isLoopback(peer);
  const side = isLocal ? "hub" : "network";
  return [
    { subject: personSubject(userId, isLocal), max: MAX_PER_PERSON, lock: "person" },
    ...(isLocal ? [] : [{ subject: `pins of address ${peer}`, max: MAX_PER_SENDER, lock: "sender" as const }]),
    ...(senderId === null
      ? []
      : [{ subject: `pins of user ${senderId} ${side}`, max: MAX_PER_SENDER, lock: "sender" as const }]),
  ];
}

function personSubject(userId: number, isLocal: boolean): string {
  return `pin of ${userId} ${isLocal ? "hub" : "network"}`;
}

function deviceSubject({ userId, deviceId }: PinPlace): string {
  return `${userId} ${deviceId}`;
}
