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

/** Whether the receipt of a final consumer must identify the buyer, by RNC or cédula and name. */
export function mustIdentifyBuyer(type: string | undefined, total: number): boolean {
  return consumerTypes.has(type) && total >= IDENTIFIED_FROM;
}

/** What a buyer who must be identified lacks. */
export function missingOfBuyer(buyer: Pick<FiscalRequest, "rnc" | "name">): "rnc" | "name" | null {
  if (!hasRncForm(digitsOf(buyer.rnc))) return "rnc";
  return (buyer.name ?? "").trim() === "" ? "name" : null;
}
