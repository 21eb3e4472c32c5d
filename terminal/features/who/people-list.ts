import type { PinUser } from "@comanda/terminal";

const ranks = { manager: 0, cashier: 1, waiter: 2 } as const satisfies Record<PinUser["role"], number>;

/** Whoever may approve what somebody else does: those with the most rights first, then by name. */
export function approvers(people: readonly PinUser[], actorId: PinUser["id"] | undefined): PinUser[] {
  return colleagues(people, actorId).toSorted((one, other) => ranks[one.role] - ranks[other.role]);
}

/** Everybody else who may work here, by name. */
export function colleagues(people: readonly PinUser[], actorId: PinUser["id"] | undefined): PinUser[] {
  return people
    .filter(({ id }) => String(id) !== String(actorId))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

export function managers(people: readonly PinUser[]): PinUser[] {
  return people.filter(({ role }) => role === "manager");
}
