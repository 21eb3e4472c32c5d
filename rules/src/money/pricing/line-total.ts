import { chargedQuantity } from "../../payments/charged-lines.ts";
import { exact, multiply, roundTo, toNumber } from "../exact.ts";

/** What a line costs: what it says, or what its unit price comes to, to the cent. */
export function lineTotal(line: {
  total?: number | undefined;
  unitPrice?: number | undefined;
  quantity: number;
  voidedQuantity?: number | undefined;
}): number {
  const { total, unitPrice = 0, quantity, voidedQuantity } = line;
  if (total !== undefined) return total;
  const charged = exact(chargedQuantity({ quantity, voidedQuantity }));
  return toNumber(roundTo(2, multiply(exact(unitPrice), charged)));
}
