import type { PinUser } from "@comanda/terminal";

const ranks = { manager: 0, cashier: 1, waiter: 2 } as const satisfies Record<PinUser["role"], number>;

/**
 * Returns the people whose approval the hub accepts: a waiter's approval adds no right. Ordered by rights, managers first, then
 * by name.
 */
export function approvers(people: readonly PinUser[], actorId: PinUser["id"] | undefined): PinUser[] {
  return sortByRights(colleagues(people, actorId).filter(({ role }) => role !== "waiter"));
}

/** Returns the people whose approval the hub accepts for a refund, which needs the permission, not a role. */
export function refunders(people: readonly PinUser[], actorId: PinUser["id"] | undefined): PinUser[] {
  return sortByRights(colleagues(people, actorId).filter(({ mayRefund }) => mayRefund === true));
}

/** Returns the other people who may work here, by name. */
export function colleagues(people: readonly PinUser[], actorId: PinUser["id"] | undefined): PinUser[] {
  return people
    .filter(({ id }) => String(id) !== String(actorId))
    .toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
}

export function managers(people: readonly PinUser[]): PinUser[] {
  return people.filter(({ role }) => role === "manager");
}

function sortByRights(people: readonly PinUser[]): PinUser[] {
  return people.toSorted((one, other) => ranks[one.role] - ranks[other.role]);
}
