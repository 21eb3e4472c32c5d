import { subtract } from "../money/amounts.ts";

interface ChargedLine {
  quantity: number;
  voided?: boolean | undefined;
  voidedQuantity?: number | undefined;
}

/** How many of a line are charged; none of one that is void. */
export function chargedQuantity({ voided, voidedQuantity = 0, quantity }: ChargedLine): number {
  return voided === true ? 0 : subtract(quantity, voidedQuantity);
}

/** Whether a check has a line that is charged: without one it cannot be paid. */
export function hasChargedLines({ lines }: { lines: readonly ChargedLine[] }): boolean {
  return lines.some((line) => line.voided !== true && (!line.voidedQuantity || chargedQuantity(line) > 0));
}
