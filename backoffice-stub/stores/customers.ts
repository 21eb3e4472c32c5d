import type { Db } from "../db/open.ts";

export interface Customer {
  id: number;
  name: string;
  rnc: string | null;
  phone: string | null;
  creditLimitCents: number;
  creditUsedCents: number;
}

export function createCustomers(db: Db) {
  const columns = "id, name, rnc, phone, credit_limit_cents AS creditLimitCents, credit_used_cents AS creditUsedCents";
  const selectAll = db.prepare<[], Customer>(`SELECT ${columns} FROM customer ORDER BY id`);
  const selectOne = db.prepare<[number], Customer>(`SELECT ${columns} FROM customer WHERE id = ?`);
  const addUsed = db.prepare("UPDATE customer SET credit_used_cents = credit_used_cents + ? WHERE id = ?");

  return {
    list: (): Customer[] => selectAll.all(),

    /** Accepts the id as a number or string, as in orders; null returns null. */
    get: (id: string | number | null): Customer | null => (id === null ? null : (selectOne.get(Number(id)) ?? null)),

    useCredit(customer: Customer, cents: number): void {
      addUsed.run(cents, customer.id);
    },
  };
}
