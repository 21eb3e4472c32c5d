/** Types of receipts of a sale with what they are called; electronic ones first, because paper is for the day on which those fail. */
export const saleTypes = {
  E32: "consumer",
  B02: "consumer",
  E31: "credit",
  B01: "credit",
  E44: "special",
  B14: "special",
  E45: "government",
  B15: "government",
  E46: "exports",
  B16: "exports",
  B12: "single",
} as const;

export type SaleKind = (typeof saleTypes)[keyof typeof saleTypes];

/** Whether a receipt of this type names its buyer, whatever its total: it is of use to nobody else. */
export function isForBuyer(type: string | undefined): boolean {
  const kind = Object.entries(saleTypes).find(([known]) => known === type)?.[1];
  return kind !== undefined && kind !== "consumer" && kind !== "single";
}
