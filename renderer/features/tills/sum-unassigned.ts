import type { UnassignedPayment } from "@comanda/protocol";
import { sum } from "@comanda/rules";

/** Sums payments outside the count of a shift with their tips, because a drawer holds both together. */
export function sumUnassigned(payments: readonly Pick<UnassignedPayment, "amount" | "tip">[]): number {
  return sum(payments.flatMap(({ amount, tip }) => [amount, tip]));
}
