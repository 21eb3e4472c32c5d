import type { Payment, Tender } from "@comanda/protocol";
import { fromCents, sum, toCents } from "../money/amounts.ts";

/** What a mutation that brings money says of it. */
export type BroughtMoney =
  | { type: "ORDER_PAY"; payments: Payment[] }
  | ({ type: "ORDER_TENDER" } & Pick<Payment, "methodId" | "amount"> & { [K in keyof TenderFields]?: TenderFields[K] });

type TenderFields = Pick<Payment, "tendered" | "change" | "tip" | "reference" | "customerId" | "foreign">;

/** The payments that a mutation brings, to the cent: there is no smaller coin. Cash stays what was handed over. */
export function paymentsIn(mutation: BroughtMoney): Payment[] {
  return asSent(mutation).map(({ amount, tendered, change, tip, ...payment }) => ({
    ...payment,
    amount: addedTo(0, amount),
    ...(tendered !== undefined && { tendered: addedTo(0, tendered) }),
    ...(change !== undefined && { change: addedTo(amount, change) }),
    ...(tip !== undefined && { tip: addedTo(tendered === undefined ? 0 : sum([amount, change ?? 0]), tip) }),
  }));
}

/** What `more` makes of an amount to the cent, so that parts add up to their sum. */
function addedTo(amount: number, more: number): number {
  return fromCents(toCents(sum([amount, more])) - toCents(amount));
}

function asSent(mutation: BroughtMoney): Payment[] {
  if (mutation.type === "ORDER_PAY") return mutation.payments;
  const { methodId, amount, tendered, change, tip, reference, customerId, foreign } = mutation;
  return [
    {
      methodId,
      amount,
      tendered,
      change,
      tip,
      ...(reference !== undefined && { reference }),
      ...(customerId !== undefined && { customerId }),
      ...(foreign !== undefined && { foreign }),
    },
  ];
}

/** A tender as one of the payments that settled a check. */
export function paymentOf({ takenAt: _at, takenBy: _by, terminalId: _on, fiscal: _for, ...payment }: Tender): Payment {
  return payment;
}
