import type { Role } from "../basics/fields.ts";

/** Returns the minimum length of a PIN. A manager's is longer because it grants more rights. */
export function minPinDigits(role: Role): number {
  return role === "manager" ? 6 : 4;
}
