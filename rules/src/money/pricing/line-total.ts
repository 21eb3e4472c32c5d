import { chargedQuantity } from "../../payments/charged-lines.ts";
import { costOf } from "../amounts.ts";

/** What a line costs: what it says, or what its unit price comes to, to the cent. */
export function lineTotal(line: {
  total?: number | undefined;
  unitPrice?: number | undefined;
  quantity: number;
  voidedQuantity?: number | undefined;
}): number {
  const { total, unitPrice = 0, quantity, voidedQuantity } = line;
  return total ?? costOf(unitPrice, chargedQuantity({ quantity, voidedQuantity }), 2);
}
