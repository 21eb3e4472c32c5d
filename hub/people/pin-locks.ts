import type { Db } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";

/** So many wrong PINs lock a person out on a device, for so long. */
export const MAX_MISSES = 5;
export const LOCKED_MS = 5 * 60_000;

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

export type PinLocks = ReturnType<typeof createPinLocks>;

/**
 * Counts wrong PINs of a person on a device. They are stored, so that a restart gives no new attempts. `now` is a time in
 * ms since 1970 that a change of the wall clock does not move.
 */
export function createPinLocks(db: Db, now: () => number) {
  const get = db.prepare<PinPlace, Misses>(
    "SELECT misses, locked_until AS lockedUntil FROM pin_misses WHERE user_id = @userId AND device_id = @deviceId",
  );
  const save = db.prepare<PinPlace & Misses>(`
    INSERT INTO pin_misses (user_id, device_id, misses, locked_until) VALUES (@userId, @deviceId, @misses, @lockedUntil)
    ON CONFLICT (user_id, device_id) DO UPDATE SET misses = excluded.misses, locked_until = excluded.locked_until`);
  const remove = db.prepare<PinPlace>("DELETE FROM pin_misses WHERE user_id = @userId AND device_id = @deviceId");
  const removeOfUser = db.prepare<[number]>("DELETE FROM pin_misses WHERE user_id = ?");
  const removeOfDevice = db.prepare<[string]>("DELETE FROM pin_misses WHERE device_id = ?");
  const listLocked = db.prepare<[number, number], { deviceId: string; lockedUntil: number }>(
    "SELECT device_id AS deviceId, locked_until AS lockedUntil FROM pin_misses WHERE user_id = ? AND locked_until > ?",
  );
  const move = db.prepare<[number]>("UPDATE pin_misses SET locked_until = locked_until + ? WHERE locked_until > 0");
  /** Attempts whose PIN is being compared: as many at once must not pass as misses are allowed. */
  const underWay = new Map<string, number>();

  /** Misses that count: those before a lock that is over do not. */
  function missesOf(place: PinPlace): Misses {
    const row = get.get(place);
    const isOver = row === undefined || (row.lockedUntil > 0 && row.lockedUntil <= now());
    return isOver ? { misses: 0, lockedUntil: 0 } : row;
  }

  return {
    /** Compares a PIN unless the person is locked out here; then it throws RATE_LIMITED. */
    async attempt(place: PinPlace, compare: () => Promise<boolean>): Promise<boolean> {
      const key = `${place.userId} ${place.deviceId}`;
      const others = underWay.get(key) ?? 0;
      const { misses, lockedUntil } = missesOf(place);
      if (misses + others >= MAX_MISSES) {
        const minutes = Math.max(1, Math.ceil((lockedUntil - now()) / 60_000));
        throw new HubError(
          "RATE_LIMITED",
          `${MAX_MISSES} wrong PINs: wait ${minutes} min, or sign in with the password`,
        );
      }
      underWay.set(key, others + 1);
      try {
        return await compare();
      } finally {
        const left = (underWay.get(key) ?? 1) - 1;
        if (left > 0) underWay.set(key, left);
        else underWay.delete(key);
      }
    },
    /** Inside a write. Whether it was one too many. */
    noteMiss(place: PinPlace): boolean {
      const misses = missesOf(place).misses + 1;
      const isLocked = misses >= MAX_MISSES;
      save.run({ ...place, misses, lockedUntil: isLocked ? now() + LOCKED_MS : 0 });
      return isLocked;
    },
    clear: (place: PinPlace): void => void remove.run(place),
    clearUser: (userId: number): void => void removeOfUser.run(userId),
    clearDevice: (deviceId: string): void => void removeOfDevice.run(deviceId),
    /** The devices on which a person is locked out. */
    lockedDevices: (userId: number): { deviceId: string; lockedUntil: number }[] => listLocked.all(userId, now()),
    /** The clock was wrong by so much. */
    move: (byMs: number): void => void move.run(byMs),
  };
}
