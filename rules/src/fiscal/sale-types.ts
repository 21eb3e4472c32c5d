/** Sale receipt types by kind. Electronic ones come first, because paper is the fallback. */
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

/** Returns whether receipts of this type name the buyer regardless of the total. */
export function isForBuyer(type: string | undefined): boolean {
  const kind = kindOf(type);
  return kind !== undefined && kind !== "consumer" && kind !== "single";
}

/** Returns whether that buyer needs an RNC or cédula. For exports a name suffices, because foreigners have neither. */
export function needsRnc(type: string | undefined): boolean {
  return isForBuyer(type) && kindOf(type) !== "exports";
}

function kindOf(type: string | undefined): SaleKind | undefined {
  return Object.entries(saleTypes).find(([key]) => key === type)?.[1];
}
