import type { FiscalRequest } from "./payments.ts";

/** The types for final consumers, on paper and electronic: they name no buyer, but for large amounts. */
const consumerTypes: ReadonlySet<string | undefined> = new Set(["B02", "E32"]);

/** From this total on, in RD$, the tax office wants the buyer of a final consumer's receipt identified. */
export const IDENTIFIED_FROM = 250_000;

/** A tax number as it is typed: it may be written with dashes. */
export function digitsOf(rnc: string | null | undefined): string {
  return (rnc ?? "").replaceAll(/\D/g, "");
}

/** Nine digits are an RNC, eleven a cédula. Whether it exists is not asked. */
export function hasRncForm(rnc: string): boolean {
  return /^(?:\d{9}|\d{11})$/.test(rnc);
}

/**
 * Whether the last digit of a whole RNC or cédula is another one than follows from those before it. The tax office has given
 * out a few such numbers: it is said, and never refused.
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

/** The algorithm of Luhn. */
function lastOfCedula(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => {
    const weighed = digit * (1 + (index % 2));
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Whether the receipt of a final consumer must identify the buyer, by RNC or cédula and name. */
export function mustIdentifyBuyer(type: string | undefined, total: number): boolean {
  return consumerTypes.has(type) && total >= IDENTIFIED_FROM;
}

/** What a buyer who must be identified lacks. */
export function missingOfBuyer(buyer: Pick<FiscalRequest, "rnc" | "name">): "rnc" | "name" | null {
  if (!hasRncForm(digitsOf(buyer.rnc))) return "rnc";
  return (buyer.name ?? "").trim() === "" ? "name" : null;
}
