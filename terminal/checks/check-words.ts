import type { Snapshot } from "@comanda/protocol";
import { contactOf } from "@comanda/rules";

/** What a check is found by, beside its title: numbers, amount, guest and telephone, who served and who took the money. */
export function wordsOf(snapshot: Snapshot): (string | number | null | undefined)[] {
  const { checkNumber, ticketNumber, totals, ncf, staffName, customerName, fiscal, paidBy } = snapshot;
  const { phone, address } = contactOf(snapshot);
  return [
    checkNumber,
    ticketNumber,
    totals.total.toFixed(2),
    ncf,
    staffName,
    customerName,
    phone,
    address,
    fiscal?.name,
    fiscal?.rnc,
    typeof paidBy === "string" ? paidBy : null,
  ];
}
