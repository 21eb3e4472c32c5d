import { equalsWithin } from "./amounts.ts";

/** Whoever rounds each line and whoever rounds the whole may differ by so much. */
const TOLERANCE = 0.02;

/** Whether a total is what its parts add up to. */
export function totalsAgree(total: number, added: number): boolean {
  return equalsWithin(total, added, TOLERANCE);
}
