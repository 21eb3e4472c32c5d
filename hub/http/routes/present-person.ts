import type { TerminalUser } from "@comanda/protocol";
import type { Person } from "../../people/person.ts";

export function presentPerson({ userId: id, userName: name, role, permissions }: Person): TerminalUser {
  return { id, name, role, permissions };
}
