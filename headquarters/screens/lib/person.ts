import type { HqPerson, HqRole } from "@comanda/protocol/headquarters.ts";
import { createContext, useContext } from "react";

/** Who is signed in. */
export const PersonContext = createContext<HqPerson | null>(null);

/** Whether whoever is signed in has one of these roles. */
export function useHasRole(...roles: HqRole[]): boolean {
  const person = useContext(PersonContext);
  return person !== null && roles.includes(person.role);
}
