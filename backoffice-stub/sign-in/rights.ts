import type { Role } from "@comanda/protocol";
import { Refusal } from "../refusal.ts";
import { HUB_LOGIN } from "../seed/people.ts";
import type { User } from "../stores/users.ts";
import type { Stores } from "../stores/stores.ts";

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

/** Who refunds: the caller, or the user whom the hub's own account names. FORBIDDEN unless that one may. */
export function requireRefunder({ users }: Pick<Stores, "users">, caller: User, onBehalfOf: number | undefined): User {
  const isHub = caller.login === HUB_LOGIN && onBehalfOf !== undefined;
  const user = isHub ? (users.byId(onBehalfOf) ?? caller) : caller;
  requirePermission(user, "refund");
  return user;
}
