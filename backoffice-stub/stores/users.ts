import type { Role } from "@comanda/protocol";

export interface User {
  id: number;
  login: string;
  name: string;
  role: Role;
  permissions: string[];
}

/** Login of the hub's account, which may request a credit note on behalf of a user with the permission to refund. */
export const HUB_LOGIN = "hub";

/** Nothing changes users, so they are in no table. The hub's account reads as a manager but cannot refund itself. */
const users: readonly User[] = [
  { id: 2, login: HUB_LOGIN, name: "Hub", role: "manager", permissions: [] },
  { id: 6, login: "manager", name: "Marisol Peña", role: "manager", permissions: ["refund"] },
  { id: 7, login: "cashier", name: "Carlos Jiménez", role: "cashier", permissions: [] },
  { id: 8, login: "waiter", name: "Wendy Almonte", role: "waiter", permissions: [] },
  { id: 9, login: "clerk", name: "Clara Rosario", role: "manager", permissions: [] },
];

export function findUser(id: number): User | null {
  return users.find((user) => user.id === id) ?? null;
}

/** Returns null for an unknown login or a wrong password. The password is the login. */
export function findUserByCredentials(login: string, password: string): User | null {
  return users.find((user) => user.login === login && password === login) ?? null;
}
