import { minPinDigits, foldText, type Role } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { readRow } from "../db/rows/read-row.ts";
import type { Person } from "./person.ts";

interface Row extends Omit<Person, "permissions"> {
  permissions: string;
}

export interface StoredPin {
  salt: Buffer;
  digest: Buffer;
  digits: number;
}

const COLUMNS = "user_id AS userId, user_name AS userName, role, permissions, login";

export type PersonStore = ReturnType<typeof createPersonStore>;

/** The people whom the back-office has confirmed to this hub, and their PINs. */
export function createPersonStore(db: Db) {
  const get = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM people WHERE user_id = ?`);
  const save = db.prepare<Row>(`
    INSERT INTO people (user_id, user_name, role, permissions, login)
    VALUES (@userId, @userName, @role, @permissions, @login)
    ON CONFLICT (user_id) DO UPDATE SET user_name = excluded.user_name, role = excluded.role,
      permissions = excluded.permissions, login = coalesce(excluded.login, login)`);
  const getConfirmed = db.prepare<[number], number | null>("SELECT confirmed_at FROM people WHERE user_id = ?").pluck();
  const confirm = db.prepare<{ userId: number; at: number }>(
    "UPDATE people SET confirmed_at = @at WHERE user_id = @userId",
  );
  const moveConfirmed = db.prepare<[number]>("UPDATE people SET confirmed_at = confirmed_at + ?");
  const all = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM people ORDER BY user_id`);
  const listWithPin = db.prepare<[], Row & { pinSetAt: number; digits: number }>(
    `SELECT ${COLUMNS}, pin_set_at AS pinSetAt, pin_digits AS digits FROM people WHERE pin_digest IS NOT NULL ORDER BY user_name, user_id`,
  );
  const getPin = db.prepare<[number], StoredPin>(
    "SELECT pin_salt AS salt, pin_digest AS digest, pin_digits AS digits FROM people WHERE user_id = ? AND pin_digest IS NOT NULL",
  );
  const setPin = db.prepare<StoredPin & { userId: number; at: number }>(
    "UPDATE people SET pin_salt = @salt, pin_digest = @digest, pin_digits = @digits, pin_set_at = @at WHERE user_id = @userId",
  );
  const removePin = db.prepare<[number]>(`
    UPDATE people SET pin_salt = NULL, pin_digest = NULL, pin_digits = NULL, pin_set_at = NULL
    WHERE user_id = ? AND pin_digest IS NOT NULL`);

  function present({ userId, userName, role, permissions, login }: Row): Person {
    return { userId, userName, role, permissions: parseColumn<string[]>(permissions, []), login };
  }

  return {
    get: (userId: number): Person | null => readRow(get.get(userId), present),
    save: ({ userId, userName, role, permissions, login }: Person): void =>
      void save.run({ userId, userName, role, permissions: JSON.stringify(permissions), login }),
    /** Finds the person with this login, else the only one with this name, ignoring case and accents. */
    findByLogin(text: string): Person | null {
      const folded = foldText(text.trim());
      const everybody = all.all();
      const [byLogin] = everybody.filter(({ login }) => login !== null && foldText(login) === folded);
      const byName = everybody.filter(({ userName }) => foldText(userName) === folded);
      return readRow(byLogin ?? (byName.length === 1 ? byName[0] : undefined), present);
    },
    /** When the back-office last confirmed a person, ms since 1970; null if unknown. */
    confirmedAt: (userId: number): number | null => getConfirmed.get(userId) ?? null,
    confirm: (userId: number, at: number): void => void confirm.run({ userId, at }),
    /** Shifts all times after the clock was corrected. */
    move: (byMs: number): void => void moveConfirmed.run(byMs),
    /** People with a PIN, by name, and when it was set (ms since 1970). */
    listWithPin: (): { person: Person; pinSetAt: number; isTooShort: boolean }[] =>
      listWithPin.all().map(({ pinSetAt, digits, ...row }) => {
        return { person: present(row), pinSetAt, isTooShort: isTooShort(row.role, digits) };
      }),
    /** Whether a person's PIN has too few digits for their current role. */
    isPinTooShort(userId: number): boolean {
      const person = get.get(userId);
      const pin = getPin.get(userId);
      return person !== undefined && pin !== undefined && isTooShort(person.role, pin.digits);
    },
    pin: (userId: number): StoredPin | null => getPin.get(userId) ?? null,
    /** The person must be stored already. */
    setPin: (userId: number, pin: StoredPin, at: number): void => void setPin.run({ userId, ...pin, at }),
    /** Returns false if there was none. */
    removePin: (userId: number): boolean => removePin.run(userId).changes === 1,
  };
}

function isTooShort(role: Role, digits: number): boolean {
  return role === "manager" && digits < minPinDigits(role);
}
