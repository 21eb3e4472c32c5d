import type { Db } from "../db/open.ts";
import type { Person } from "./person.ts";

export type DevicePeople = ReturnType<typeof createDevicePeople>;

/**
 * Who has signed in with the password at which device. A device takes the PIN of nobody else until a manager was one of
 * them: a device costs nothing, and an attacker who guesses PINs would have any number.
 */
export function createDevicePeople(db: Db) {
  const note = db.prepare<{ deviceId: string; userId: number; isManager: 0 | 1 }>(`
    INSERT INTO device_people (device_id, user_id, is_manager) VALUES (@deviceId, @userId, @isManager)
    ON CONFLICT (device_id, user_id) DO UPDATE SET is_manager = excluded.is_manager
    WHERE is_manager < excluded.is_manager`);
  const takes = db
    .prepare<[string, number], 1>("SELECT 1 FROM device_people WHERE device_id = ? AND (user_id = ? OR is_manager = 1)")
    .pluck();
  const rename = db.prepare<{ from: string; to: string }>(
    "UPDATE device_people SET device_id = @to WHERE device_id = @from",
  );
  const clear = db.prepare<[string]>("DELETE FROM device_people WHERE device_id = ?");

  return {
    /** Inside a write. */
    note: (deviceId: string, { userId, role }: Person): void =>
      void note.run({ deviceId, userId, isManager: role === "manager" ? 1 : 0 }),
    takesPinOf: (deviceId: string, userId: number): boolean => takes.get(deviceId, userId) !== undefined,
    /** Inside a write, after `clear` of the new name. */
    rename: (from: string, to: string): void => void rename.run({ from, to }),
    /** Inside a write: what bears this name from now on may be another device. */
    clear: (deviceId: string): void => void clear.run(deviceId),
  };
}
