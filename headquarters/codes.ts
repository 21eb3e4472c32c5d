import { createHash, randomInt } from "node:crypto";

/** Leaves out I, O, 0 and 1, which are easily confused. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Returns a random code for a person to type. */
export function newCode(length: number): string {
  return Array.from({ length }, () => SIGNS[randomInt(SIGNS.length)]).join("");
}

/** Returns the SHA-256 in hex, stored in place of a code or token. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
