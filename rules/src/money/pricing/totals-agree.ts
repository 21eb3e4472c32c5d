import { equalsWithin } from "../amounts.ts";

/** Accepted difference between rounding each line and rounding the whole. */
const TOLERANCE = 0.02;

/** Returns whether a total agrees with the sum of its parts. */
export function totalsAgree(total: number, added: number): boolean {
  return equalsWithin(total, added, TOLERANCE);
}
