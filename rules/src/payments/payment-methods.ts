import type { Payment, PaymentMethod } from "@comanda/protocol";

/** The back-office's payment methods; null if they were never read. */
export type PaymentMethods = readonly Pick<PaymentMethod, "id" | "type">[] | null;

/**
 * Returns a test for cash payments. For a method unknown to the back-office, a payment is cash if it states tendered or change.
 * If the methods were never read and no payment states them, any may be cash, because money taken must be accepted.
 */
export function cashAmong(payments: readonly Payment[], methods: PaymentMethods): (payment: Payment) => boolean {
  const types = new Map(methods?.map(({ id, type }) => [String(id), type]));
  const anyMayBe = methods === null && !payments.some(namesChange);
  return (payment) => {
    const type = types.get(String(payment.methodId));
    return type === undefined ? anyMayBe || namesChange(payment) : type === "cash";
  };
}

/** Returns the ids of the cash methods. */
export function cashMethodsOf(methods: PaymentMethods): string[] {
  return (methods ?? []).flatMap(({ id, type }) => (type === "cash" ? [String(id)] : []));
}

/** Returns whether a payment states the amount tendered or the change. */
export function namesChange({ tendered, change }: Payment): boolean {
  return tendered !== undefined || change !== undefined;
}

/** Returns the payments with a credit method. */
export function creditAmong<P extends Payment>(payments: readonly P[], methods: PaymentMethods): P[] {
  const onCredit = new Set(methods?.filter(({ type }) => type === "pay_later").map(({ id }) => String(id)));
  return payments.filter(({ methodId }) => onCredit.has(String(methodId)));
}

/** Returns the index of the first payment with an unknown method; -1 if there is none, or no methods are known. */
export function unknownMethodAt(payments: readonly Payment[], methods: PaymentMethods): number {
  const knownIds = new Set(methods?.map(({ id }) => String(id)));
  return knownIds.size === 0 ? -1 : payments.findIndex(({ methodId }) => !knownIds.has(String(methodId)));
}
