import type { Format } from "./format.ts";

/** Returns a size in the unit that makes it short: 225 bytes, 2 MB. */
export function bytesText({ unit }: Pick<Format, "unit">, bytes: number): string {
  let amount = bytes;
  for (const name of ["byte", "kilobyte", "megabyte"]) {
    if (amount < 1000) return unit(amount, name);
    amount /= 1000;
  }
  return unit(amount, "gigabyte");
}
