import { subtract } from "../money/amounts.ts";

interface ChargedLine {
  quantity: number;
  voided?: boolean | undefined;
  voidedQuantity?: number | undefined;
}

/** Returns the charged quantity of a line; 0 if it is void. */
export function chargedQuantity({ voided, voidedQuantity = 0, quantity }: ChargedLine): number {
  return voided === true ? 0 : subtract(quantity, voidedQuantity);
}

/** Returns whether a check has a charged line; without one it cannot be paid. */
export function hasChargedLines({ lines }: { lines: readonly ChargedLine[] }): boolean {
  return lines.some((line) => line.voided !== true && (!line.voidedQuantity || chargedQuantity(line) > 0));
}
