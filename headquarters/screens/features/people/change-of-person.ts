import type { HqPersonChange, HqPersonRow } from "@comanda/protocol/headquarters.ts";
import { isSameNames } from "../../lib/is-same-names.ts";
import { lastDayOf } from "./last-day.ts";

/** What the form of a person holds; without `email` where nobody signs in by one. */
interface TypedPerson extends Pick<HqPersonRow, "name" | "role" | "expiresAt" | "isActive"> {
  groups: readonly string[];
  email?: string | null | undefined;
}

/**
 * What somebody has changed of a person, with what a new role needs: what they left as it was may have been changed by
 * another owner meanwhile, who has taken that person out, for example.
 */
export function changeOfPerson(person: HqPersonRow, typed: TypedPerson): HqPersonChange {
  const { name, role, groups, expiresAt, isActive, email = person.email } = typed;
  const isNewRole = role !== person.role;
  const isSameDay = dayOfEnd(expiresAt) === dayOfEnd(person.expiresAt);
  const isSameGroups = isSameNames(groups, person.groups);
  return {
    ...(name !== person.name && { name }),
    ...(isNewRole && { role }),
    ...(role === "region" && (isNewRole || !isSameGroups) && { groups: [...groups] }),
    ...(role === "support" && (isNewRole || !isSameDay) && { expiresAt }),
    ...(email !== person.email && { email }),
    ...(isActive !== person.isActive && { isActive }),
  };
}

function dayOfEnd(expiresAt: string | null): string | null {
  return expiresAt === null ? null : lastDayOf(expiresAt);
}
