import { equalsWithin } from "../amounts.ts";

/** Rounding each line and rounding the whole may differ by so much. */
const TOLERANCE = 0.02;

/** Whether a total is what its parts add up to. */
export function totalsAgree(total: number, added: number): boolean {
  return equalsWithin(total, added, TOLERANCE);
}
