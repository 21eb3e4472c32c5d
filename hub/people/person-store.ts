import type { Role } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/parse-column.ts";
import type { Person } from "./person.ts";

interface Row {
  userId: number;
  userName: string;
  role: Role;
  permissions: string;
}

/** A PIN as it is stored. */
export interface StoredPin {
  salt: Buffer;
  digest: Buffer;
}

const COLUMNS = "user_id AS userId, user_name AS userName, role, permissions";

/** Those who have acted at a terminal of this hub, and their PINs. */
export function createPersonStore(db: Db) {
  const get = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM people WHERE user_id = ?`);
  const save = db.prepare<Row>(`
    INSERT INTO people (user_id, user_name, role, permissions) VALUES (@userId, @userName, @role, @permissions)
    ON CONFLICT (user_id) DO UPDATE SET
      user_name = excluded.user_name, role = excluded.role, permissions = excluded.permissions`);
  const listWithPin = db.prepare<[], Row & { pinSetAt: number }>(
    `SELECT ${COLUMNS}, pin_set_at AS pinSetAt FROM people WHERE pin_digest IS NOT NULL ORDER BY user_name, user_id`,
  );
  const getPin = db.prepare<[number], StoredPin>(
    "SELECT pin_salt AS salt, pin_digest AS digest FROM people WHERE user_id = ? AND pin_digest IS NOT NULL",
  );
  const setPin = db.prepare<StoredPin & { userId: number; at: number }>(
    "UPDATE people SET pin_salt = @salt, pin_digest = @digest, pin_set_at = @at WHERE user_id = @userId",
  );
  const removePin = db.prepare<[number]>(`
    UPDATE people SET pin_salt = NULL, pin_digest = NULL, pin_set_at = NULL
    WHERE user_id = ? AND pin_digest IS NOT NULL`);

  function present({ userId, userName, role, permissions }: Row): Person {
    return { userId, userName, role, permissions: parseColumn<string[]>(permissions, []) };
  }

  return {
    get(userId: number): Person | null {
      const row = get.get(userId);
      return row === undefined ? null : present(row);
    },
    save: ({ userId, userName, role, permissions }: Person): void =>
      void save.run({ userId, userName, role, permissions: JSON.stringify(permissions) }),
    /** By name, with when the PIN was set (ms since 1970). */
    listWithPin: (): { person: Person; pinSetAt: number }[] =>
      listWithPin.all().map(({ pinSetAt, ...row }) => ({ person: present(row), pinSetAt })),
    pin: (userId: number): StoredPin | null => getPin.get(userId) ?? null,
    /** Of a person who is stored. */
    setPin: (userId: number, pin: StoredPin, at: number): void => void setPin.run({ userId, ...pin, at }),
    /** False when there was none. */
    removePin: (userId: number): boolean => removePin.run(userId).changes === 1,
  };
}
