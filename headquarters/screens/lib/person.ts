import type { HqPerson, HqRole } from "@comanda/protocol/headquarters.ts";
import { createContext, useContext } from "react";

/** The signed-in person; null if there is none. */
export const PersonContext = createContext<HqPerson | null>(null);

/** Returns whether the signed-in person has one of these roles. */
export function useHasRole(...roles: HqRole[]): boolean {
  const person = useContext(PersonContext);
  return person !== null && roles.includes(person.role);
}
