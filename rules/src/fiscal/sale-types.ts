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
  const kind = kindOf(type);
  return kind !== undefined && kind !== "consumer" && kind !== "single";
}

/** Whether that buyer is named by RNC or cédula. Exports go to foreigners, who have none: a name does for them. */
export function needsRnc(type: string | undefined): boolean {
  return isForBuyer(type) && kindOf(type) !== "exports";
}

function kindOf(type: string | undefined): SaleKind | undefined {
  return Object.entries(saleTypes).find(([known]) => known === type)?.[1];
}
