import type { FiscalRequest } from "./payments.ts";

/** The types for final consumers, on paper and electronic. They name no buyer, except for large amounts. */
const consumerTypes: ReadonlySet<string | undefined> = new Set(["B02", "E32"]);

/** From this total on (RD$), the tax office requires a final consumer's receipt to identify the buyer. */
export const IDENTIFIED_FROM = 250_000;

/** Returns the digits of a tax number, which may be typed with dashes. */
export function digitsOf(rnc: string | null | undefined): string {
  return (rnc ?? "").replaceAll(/\D/g, "");
}

/** Returns whether a tax number has the length of an RNC (9 digits) or a cédula (11). Does not check that it exists. */
export function hasRncForm(rnc: string): boolean {
  return /^(?:\d{9}|\d{11})$/.test(rnc);
}

/**
 * Returns whether the check digit of a complete RNC or cédula is wrong. The tax office has issued a few such numbers, so
 * callers warn and do not reject.
 */
export function isMistyped(typed: string): boolean {
  const rnc = digitsOf(typed);
  if (!hasRncForm(rnc)) return false;
  const digits = Array.from(rnc, Number);
  const last = digits.pop();
  return last !== (digits.length === 8 ? lastOfRnc(digits) : lastOfCedula(digits));
}

function lastOfRnc(digits: readonly number[]): number {
  const weighed = digits.reduce((sum, digit, index) => sum + digit * Number("79865432"[index]), 0);
  return ((10 - (weighed % 11)) % 9) + 1;
}

/** The Luhn algorithm. */
function lastOfCedula(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => {
    const weighed = digit * (1 + (index % 2));
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Returns whether a final consumer's receipt must identify the buyer, by RNC or cédula and name. */
export function mustIdentifyBuyer(type: string | undefined, total: number): boolean {
  return consumerTypes.has(type) && total >= IDENTIFIED_FROM;
}

/** Returns the first field that a buyer who must be identified lacks, or null. */
export function missingOfBuyer(buyer: Pick<FiscalRequest, "rnc" | "name">): "rnc" | "name" | null {
  if (!hasRncForm(digitsOf(buyer.rnc))) return "rnc";
  return (buyer.name ?? "").trim() === "" ? "name" : null;
}
