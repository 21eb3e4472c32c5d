import type { PaidCheck } from "../../checks/paid-checks.ts";

/** What a check is found by, beside its table: number, amount, fiscal number, who served and who took the money. */
export function wordsOf({ snapshot }: PaidCheck): (string | number | null | undefined)[] {
  const { checkNumber, ticketNumber, totals, ncf, staffName, customerName, fiscal, paidBy } = snapshot;
  return [
    checkNumber,
    ticketNumber,
    totals.total.toFixed(2),
    ncf,
    staffName,
    customerName,
    fiscal?.name,
    fiscal?.rnc,
    typeof paidBy === "string" ? paidBy : null,
  ];
}
