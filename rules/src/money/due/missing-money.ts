import type { Snapshot } from "@comanda/protocol";
import { subtract, sum } from "../amounts.ts";
import { paymentsOf } from "../../payments/payments-of.ts";
import { openTenders } from "./amount-due.ts";

/** Returns the sum of the payments that a check had before a restore and lacks now. Voided ones count as present. */
export function missingMoney(before: Snapshot, { tenders = [] }: Snapshot): number {
  const back = openTenders(before).filter(({ tenderId }) => tenders.some((tender) => tender.tenderId === tenderId));
  const amountOf = (payments: readonly { amount: number }[]): number => sum(payments.map(({ amount }) => amount));
  return subtract(amountOf(paymentsOf(before)), amountOf(back));
}
