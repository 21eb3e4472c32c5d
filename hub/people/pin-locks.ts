import type { Db } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";
import { isLoopback } from "../platform/loopback.ts";
import type { HourlyCounts } from "./hourly-counts.ts";

/** So many wrong PINs lock a person out on a device, for so long. */
export const MAX_MISSES = 5;
export const LOCKED_MS = 5 * 60_000;

/** So many within an hour leave a person only the password, over all devices together. */
const MAX_OF_PERSON = 20;
/** So many within an hour, whosever PIN was tried, and nobody's is taken from that address or signed-in user. */
const MAX_OF_SENDER = 40;

interface Misses {
  misses: number;
  /** By `now`; 0 while not locked. */
  lockedUntil: number;
}

/** A person at a device. */
export interface PinPlace {
  userId: number;
  deviceId: string;
}

/** Whose PIN is entered, and by whom. */
export interface PinAttempt extends PinPlace {
  /** The network address that it comes from. */
  peer: string;
  /** Who is signed in there; null where nobody is. */
  senderId: number | null;
  /** Whether the screens of the hub's own computer ask for it: nobody elsewhere can lock anybody out there. */
  isHubScreen?: boolean;
}

/** What a miss too many has closed: a person on a device, a person everywhere, or all PINs of an address or a user. */
export type PinLock = "device" | "person" | "sender";

interface HourlyLimit {
  subject: string;
  max: number;
  lock: PinLock;
}

export type PinLocks = ReturnType<typeof createPinLocks>;

/**
 * Counts wrong PINs. They are stored, so that a restart gives no new attempts. `now` is a time in ms since 1970 that a change
 * of the wall clock does not move.
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
  /** Attempts whose PIN is being compared, by what they count for: as many at once must not pass as misses are allowed. */
  const underWay = new Map<string, number>();

  /** Misses that count: those before a lock that is over do not. */
  function missesOf({ userId, deviceId }: PinPlace): Misses {
    const row = get.get({ userId, deviceId });
    const isOver = row === undefined || (row.lockedUntil > 0 && row.lockedUntil <= now());
    return isOver ? { misses: 0, lockedUntil: 0 } : row;
  }

  /** Throws RATE_LIMITED where no more attempts are left, those under way included. */
  function requireLeft(attempt: PinAttempt): void {
    for (const { subject, max, lock } of hourlyLimits(attempt)) {
      if (counts.count(subject) + (underWay.get(subject) ?? 0) < max) continue;
      const minutes = minutesTo(counts.fullUntil(subject, max) ?? now());
      const whose = lock === "person" ? "of this person" : "from here";
      throw new HubError(
        "RATE_LIMITED",
        `${max} wrong PINs ${whose} within an hour: sign in with the password, or wait ${minutes} min`,
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

  function addUnderWay(subject: string, by: 1 | -1): void {
    const count = (underWay.get(subject) ?? 0) + by;
    if (count > 0) underWay.set(subject, count);
    else underWay.delete(subject);
  }

  return {
    /** Compares a PIN unless it is locked: then it throws RATE_LIMITED, and nobody learns whether it was right. */
    async attempt(attempt: PinAttempt, compare: () => Promise<boolean>): Promise<boolean> {
      requireLeft(attempt);
      const subjects = [deviceSubject(attempt), ...hourlyLimits(attempt).map(({ subject }) => subject)];
      for (const subject of subjects) addUnderWay(subject, 1);
      try {
        return await compare();
      } finally {
        for (const subject of subjects) addUnderWay(subject, -1);
      }
    },
    /** Inside a write: what this miss has closed. */
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
    /** Inside a write, after a right PIN. What was missed at other devices stays counted: others may have missed it. */
    clear: ({ userId, deviceId }: PinPlace): void => void remove.run({ userId, deviceId }),
    /** Inside a write: there is another PIN now. */
    clearDevicesOf: (userId: number): void => void removeOfUser.run(userId),
    /** Inside a write: a manager has removed the PIN that was guessed at. */
    clearUser(userId: number): void {
      removeOfUser.run(userId);
      for (const isHere of [true, false]) counts.clear(personSubject(userId, isHere));
    },
    clearDevice: (deviceId: string): void => void removeOfDevice.run(deviceId),
    /** Inside a write, after `clearDevice` of the new name: another name gives no new attempts. */
    renameDevice: (from: string, to: string): void => void renameDevice.run({ from, to }),
    lockedDevices: (userId: number): { deviceId: string; lockedUntil: number }[] => listLocked.all(userId, now()),
    /** Until when a person is left only the password, ms since 1970; null while they are not. */
    lockedUntil(userId: number): number | null {
      const ends = [true, false].map((isHere) => counts.fullUntil(personSubject(userId, isHere), MAX_OF_PERSON) ?? 0);
      return Math.max(...ends) || null;
    },
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void move.run(byMs),
  };
}

/**
 * What a miss counts for beside its device. Misses at the hub's own computer and on the network are counted apart, and the
 * computer itself is no address that is refused: nobody on the network can lock anybody out there.
 */
function hourlyLimits({ userId, peer, senderId, isHubScreen = false }: PinAttempt): HourlyLimit[] {
  if (isHubScreen) return [];
  const isHere = isLoopback(peer);
  const side = isHere ? "hub" : "network";
  return [
    { subject: personSubject(userId, isHere), max: MAX_OF_PERSON, lock: "person" },
    ...(isHere ? [] : [{ subject: `pins of address ${peer}`, max: MAX_OF_SENDER, lock: "sender" as const }]),
    ...(senderId === null
      ? []
      : [{ subject: `pins of user ${senderId} ${side}`, max: MAX_OF_SENDER, lock: "sender" as const }]),
  ];
}

function personSubject(userId: number, isHere: boolean): string {
  return `pin of ${userId} ${isHere ? "hub" : "network"}`;
}

function deviceSubject({ userId, deviceId }: PinPlace): string {
  return `${userId} ${deviceId}`;
}
