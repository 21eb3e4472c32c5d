import type { Role } from "@comanda/protocol";
import { z } from "zod";
import type { Db } from "../db/open.ts";
import { isPassword } from "../sign-in/password.ts";

export interface User {
  id: number;
  login: string;
  name: string;
  role: Role;
  permissions: string[];
}

export type UserRow = Omit<User, "permissions"> & { permissions: string };

export function createUsers(db: Db) {
  const selectByLogin = db.prepare<[string], UserRow & { password_salt: string; password_hash: string }>(`
    SELECT id, login, name, role, permissions, password_salt, password_hash FROM user WHERE login = ?`);
  const selectOne = db.prepare<[number], UserRow>("SELECT id, login, name, role, permissions FROM user WHERE id = ?");

  return {
    get(id: number): User | null {
      const row = selectOne.get(id);
      return row === undefined ? null : toUser(row);
    },

    /** Returns null for an unknown login or a wrong password. */
    findByCredentials(login: string, password: string): User | null {
      const row = selectByLogin.get(login);
      if (row === undefined) return null;
      return isPassword(password, { salt: row.password_salt, hash: row.password_hash }) ? toUser(row) : null;
    },
  };
}

export function toUser({ id, login, name, role, permissions }: UserRow): User {
  return { id, login, name, role, permissions: z.array(z.string()).parse(JSON.parse(permissions)) };
}
