import type { LoosePayment } from "@comanda/protocol";
import { sum } from "@comanda/rules";

/** What was taken outside the count of a shift, with its tips: in a drawer both lie together. */
export function sumLoose(payments: readonly Pick<LoosePayment, "amount" | "tip">[]): number {
  return sum(payments.flatMap(({ amount, tip }) => [amount, tip]));
}
