import type { Snapshot } from "@comanda/protocol";
import { contactOf } from "@comanda/rules";

/** Returns the texts that find a check, besides its title: numbers, amount, guest, contact, waiter and cashier. */
export function searchTexts(snapshot: Snapshot): (string | number | null | undefined)[] {
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
