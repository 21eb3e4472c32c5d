import type { Role } from "@comanda/protocol";
import { Refusal } from "../refusal.ts";
import { findUser, HUB_LOGIN, type User } from "../stores/users.ts";

const rank: Record<Role, number> = { waiter: 0, cashier: 1, manager: 2 };

/** Throws FORBIDDEN unless the user has this role or a higher one. */
export function requireRole(user: User, role: Role): void {
  if (rank[user.role] < rank[role]) throw new Refusal("FORBIDDEN", `this needs the role ${role}`);
}

export function requirePermission(user: User, permission: string): void {
  if (!user.permissions.includes(permission)) {
    throw new Refusal("FORBIDDEN", `this needs the permission ${permission}`);
  }
}

/** Returns who refunds: the caller, or the user that the hub's account names. Throws FORBIDDEN without the permission. */
export function requireRefunder(caller: User, onBehalfOf: number | undefined): User {
  const isHub = caller.login === HUB_LOGIN && onBehalfOf !== undefined;
  const user = isHub ? (findUser(onBehalfOf) ?? caller) : caller;
  requirePermission(user, "refund");
  return user;
}
