import type { HqPersonChange, HqPersonRow } from "@comanda/protocol/headquarters.ts";
import { changedFields } from "@comanda/ui/changed-fields.ts";
import { lastDayOf } from "./last-day.ts";

/** The values in the form of a person; without `email` if there is no identity provider. */
interface TypedPerson extends Pick<HqPersonRow, "name" | "role" | "expiresAt" | "isActive"> {
  groups: readonly string[];
  email?: string | null | undefined;
}

/**
 * Returns the fields that were changed, and those that a new role needs. All other fields stay as they are: another owner may
 * have deactivated the person meanwhile, for example.
 */
export function changeOfPerson(person: HqPersonRow, typed: TypedPerson): HqPersonChange {
  const { name, role, groups, expiresAt, isActive, email = person.email } = typed;
  const isNewRole = role !== person.role;
  const { groups: otherGroups, ...changed } = changedFields(person, { name, role, groups, email, isActive });
  const isSameDay = dayOfEnd(expiresAt) === dayOfEnd(person.expiresAt);
  return {
    ...changed,
    ...(role === "region" && (isNewRole || otherGroups !== undefined) && { groups: [...groups] }),
    ...(role === "support" && (isNewRole || !isSameDay) && { expiresAt }),
  };
}

function dayOfEnd(expiresAt: string | null): string | null {
  return expiresAt === null ? null : lastDayOf(expiresAt);
}
