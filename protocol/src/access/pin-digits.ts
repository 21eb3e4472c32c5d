import type { Role } from "../basics/fields.ts";

/** A manager's PIN opens more, so it is longer. */
export function fewestPinDigits(role: Role): number {
  return role === "manager" ? 6 : 4;
}
