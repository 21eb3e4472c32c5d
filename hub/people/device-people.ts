import type { Db } from "../db/open.ts";
import type { Person } from "./person.ts";

export type DevicePeople = ReturnType<typeof createDevicePeople>;

/**
 * Stores who has signed in with the password at which device. A device accepts only the PINs of these people, until a manager
 * is among them. Otherwise an attacker could guess PINs from any number of made-up devices.
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
    /** Call in a transaction. */
    note: (deviceId: string, { userId, role }: Person): void =>
      void note.run({ deviceId, userId, isManager: role === "manager" ? 1 : 0 }),
    takesPinOf: (deviceId: string, userId: number): boolean => takes.get(deviceId, userId) !== undefined,
    /** Call in a transaction, after `clear` of the new name. */
    rename: (from: string, to: string): void => void rename.run({ from, to }),
    /** Call in a transaction when another device may use the name from now on. */
    clear: (deviceId: string): void => void clear.run(deviceId),
  };
}
