import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";

/** A payment on a customer's credit; unchecked when the back-office could not be asked. */
export interface CreditPayment {
  customerId: string;
  amount: number;
  isUnchecked: boolean;
}

export type CreditStore = ReturnType<typeof createCreditStore>;

/** What customers owe by orders that the back-office has not confirmed: it does not count that yet. */
export function createCreditStore(db: Db) {
  const remove = db.prepare<[string]>("DELETE FROM unconfirmed_credit WHERE pos_reference = ?");
  const insert = db.prepare<{ posReference: string; customerId: string; amount: number; isUnchecked: 0 | 1 }>(`
    INSERT INTO unconfirmed_credit (pos_reference, customer_id, amount, is_unchecked)
    VALUES (@posReference, @customerId, @amount, @isUnchecked)`);
  const ofCustomer = db.prepare<[string], { amount: number; isUnchecked: 0 | 1 }>(
    "SELECT amount, is_unchecked AS isUnchecked FROM unconfirmed_credit WHERE customer_id = ?",
  );

  return {
    /** What an order has on credit from now on, in place of what it had. */
    replace(_tx: Tx, posReference: string, payments: readonly CreditPayment[]): void {
      remove.run(posReference);
      for (const { isUnchecked, ...payment } of payments) {
        insert.run({ ...payment, posReference, isUnchecked: isUnchecked ? 1 : 0 });
      }
    },
    /** The amounts that a customer owes by unconfirmed orders. */
    ofCustomer: (customerId: string): Omit<CreditPayment, "customerId">[] =>
      ofCustomer.all(customerId).map(({ amount, isUnchecked }) => ({ amount, isUnchecked: isUnchecked === 1 })),
  };
}
