import type { Payment, Tender } from "@comanda/protocol";
import { fromCents, sum, toCents } from "../money/amounts.ts";

/** The payments of a mutation that brings money. */
export type BroughtMoney =
  | { type: "ORDER_PAY"; payments: Payment[] }
  | ({ type: "ORDER_TENDER" } & Pick<Payment, "methodId" | "amount"> & { [K in keyof TenderFields]?: TenderFields[K] });

type TenderFields = Pick<Payment, "tendered" | "change" | "tip" | "reference" | "customerId" | "foreign">;

/** Returns the payments of a mutation rounded to cents, such that each cash payment still adds up to `tendered`. */
export function paymentsIn(mutation: BroughtMoney): Payment[] {
  return asSent(mutation).map(({ amount, tendered, change, tip, ...payment }) => ({
    ...payment,
    amount: addedTo(0, amount),
    ...(tendered !== undefined && { tendered: addedTo(0, tendered) }),
    ...(change !== undefined && { change: addedTo(amount, change) }),
    ...(tip !== undefined && { tip: addedTo(tendered === undefined ? 0 : sum([amount, change ?? 0]), tip) }),
  }));
}

/** Returns `more` rounded to cents such that it adds up exactly with `amount`. */
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

/** Returns a tender as one of the payments that settle a check. */
export function paymentOf({ takenAt: _at, takenBy: _by, terminalId: _on, fiscal: _for, ...payment }: Tender): Payment {
  return payment;
}
