import type { Role } from "@comanda/protocol";
import { Refusal } from "../refusal.ts";
import type { User } from "../stores/users.ts";

const rank: Record<Role, number> = { waiter: 0, cashier: 1, manager: 2 };

/** A higher role may do what a lower one may. */
export function requireRole(user: User, role: Role): void {
  if (rank[user.role] < rank[role]) throw new Refusal("FORBIDDEN", `this needs the role ${role}`);
}

export function requirePermission(user: User, permission: string): void {
  if (!user.permissions.includes(permission)) {
    throw new Refusal("FORBIDDEN", `this needs the permission ${permission}`);
  }
}
