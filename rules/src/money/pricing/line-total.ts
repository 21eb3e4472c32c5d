import { chargedQuantity } from "../../payments/charged-lines.ts";
import { costOf } from "../amounts.ts";

/** Returns the cost of a line: its `total`, or its unit price times the quantity, to the cent. */
export function lineTotal(line: {
  total?: number | undefined;
  unitPrice?: number | undefined;
  quantity: number;
  voidedQuantity?: number | undefined;
}): number {
  const { total, unitPrice = 0, quantity, voidedQuantity } = line;
  return total ?? costOf(unitPrice, chargedQuantity({ quantity, voidedQuantity }), 2);
}
