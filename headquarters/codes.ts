import { createHash, randomInt } from "node:crypto";

/** None of I, O, 0 and 1: they are mistaken for each other. */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A code that somebody types. */
export function newCode(length: number): string {
  return Array.from({ length }, () => SIGNS[randomInt(SIGNS.length)]).join("");
}

/** What is stored of a code or a token. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
