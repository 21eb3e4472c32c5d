import type { Payment, PaymentMethod } from "@comanda/protocol";

/** The back-office's payment methods; null while they were never read. */
export type PaymentMethods = readonly Pick<PaymentMethod, "id" | "type">[] | null;

/**
 * Which of these payments are cash. Where the back-office's methods do not tell, it is those that name what was handed over;
 * while the methods were never read and none does, any may be: money taken is a fact.
 */
export function cashAmong(payments: readonly Payment[], methods: PaymentMethods): (payment: Payment) => boolean {
  const types = new Map(methods?.map(({ id, type }) => [String(id), type]));
  const anyMayBe = methods === null && !payments.some(namesChange);
  return (payment) => {
    const type = types.get(String(payment.methodId));
    return type === undefined ? anyMayBe || namesChange(payment) : type === "cash";
  };
}

/** The ids of the methods that are cash. */
export function cashMethodsOf(methods: PaymentMethods): string[] {
  return (methods ?? []).flatMap(({ id, type }) => (type === "cash" ? [String(id)] : []));
}

/** Whether a payment says what was handed over. */
export function namesChange({ tendered, change }: Payment): boolean {
  return tendered !== undefined || change !== undefined;
}

/** The payments with a method on credit. */
export function creditAmong<P extends Payment>(payments: readonly P[], methods: PaymentMethods): P[] {
  const onCredit = new Set(methods?.filter(({ type }) => type === "pay_later").map(({ id }) => String(id)));
  return payments.filter(({ methodId }) => onCredit.has(String(methodId)));
}

/** The place of the first payment with a method that the back-office does not have; -1 while it names none. */
export function unknownMethodAt(payments: readonly Payment[], methods: PaymentMethods): number {
  const known = new Set(methods?.map(({ id }) => String(id)));
  return known.size === 0 ? -1 : payments.findIndex(({ methodId }) => !known.has(String(methodId)));
}
