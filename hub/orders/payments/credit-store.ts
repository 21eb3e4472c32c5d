import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";

/** A payment on a customer's credit. `isUnchecked`: the back-office could not be asked. */
export interface CreditPayment {
  customerId: string;
  amount: number;
  isUnchecked: boolean;
}

export type CreditStore = ReturnType<typeof createCreditStore>;

/** Stores the credit payments of orders that the back-office has not confirmed, and so does not count yet. */
export function createCreditStore(db: Db) {
  const remove = db.prepare<[string]>("DELETE FROM unconfirmed_credit WHERE pos_reference = ?");
  const insert = db.prepare<{ posReference: string; customerId: string; amount: number; isUnchecked: 0 | 1 }>(`
    INSERT INTO unconfirmed_credit (pos_reference, customer_id, amount, is_unchecked)
    VALUES (@posReference, @customerId, @amount, @isUnchecked)`);
  const listByCustomer = db.prepare<[string], { amount: number; isUnchecked: 0 | 1 }>(
    "SELECT amount, is_unchecked AS isUnchecked FROM unconfirmed_credit WHERE customer_id = ?",
  );

  return {
    /** Replaces the credit payments of an order. */
    replace(_tx: Tx, posReference: string, payments: readonly CreditPayment[]): void {
      remove.run(posReference);
      for (const { isUnchecked, ...payment } of payments) {
        insert.run({ ...payment, posReference, isUnchecked: isUnchecked ? 1 : 0 });
      }
    },
    /** The amounts that a customer owes for unconfirmed orders. */
    listByCustomer: (customerId: string): Omit<CreditPayment, "customerId">[] =>
      listByCustomer.all(customerId).map(({ amount, isUnchecked }) => ({ amount, isUnchecked: isUnchecked === 1 })),
  };
}
