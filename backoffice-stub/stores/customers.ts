import type { Db } from "../db/open.ts";

export interface Customer {
  id: number;
  name: string;
  rnc: string | null;
  creditLimitCents: number;
  creditUsedCents: number;
}

interface CustomerRow {
  id: number;
  name: string;
  rnc: string | null;
  credit_limit_cents: number;
  credit_used_cents: number;
}

export function createCustomers(db: Db) {
  const columns = "id, name, rnc, credit_limit_cents, credit_used_cents";
  const selectAll = db.prepare<[], CustomerRow>(`SELECT ${columns} FROM customer ORDER BY id`);
  const selectOne = db.prepare<[number], CustomerRow>(`SELECT ${columns} FROM customer WHERE id = ?`);
  const addUsed = db.prepare("UPDATE customer SET credit_used_cents = credit_used_cents + ? WHERE id = ?");

  return {
    all: (): Customer[] => selectAll.all().map(toCustomer),

    /** Takes the id as a number or as its text, as orders carry it. */
    byId(id: string | number): Customer | null {
      const row = selectOne.get(Number(id));
      return row === undefined ? null : toCustomer(row);
    },

    useCredit(customer: Customer, cents: number): void {
      addUsed.run(cents, customer.id);
    },
  };
}

function toCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    name: row.name,
    rnc: row.rnc,
    creditLimitCents: row.credit_limit_cents,
    creditUsedCents: row.credit_used_cents,
  };
}
