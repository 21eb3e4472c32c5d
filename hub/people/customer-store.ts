import { foldText, type Customer } from "@comanda/protocol";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { soundRow } from "../db/integrity/sealed-tables.ts";

/** How many customers are kept for times when the back-office is unreachable. */
const MAX_STORED = 500;

/** The most recently used customers, as the back-office last sent them. */
export function createCustomerStore(db: Db) {
  const save = db.prepare<{ customerId: string; content: string; usedAt: number }>(`
    INSERT INTO customers (customer_id, content, used_at) VALUES (@customerId, @content, @usedAt)
    ON CONFLICT (customer_id) DO UPDATE SET content = excluded.content, used_at = excluded.used_at, seal = NULL`);
  const removeOldest = db.prepare(`
    DELETE FROM customers WHERE customer_id IN (
      SELECT customer_id FROM customers ORDER BY used_at DESC, customer_id LIMIT -1 OFFSET ${MAX_STORED})`);
  const all = db.prepare<[], { content: string }>(`
    SELECT content FROM customers WHERE ${soundRow(db, "customers")} ORDER BY used_at DESC, customer_id`);
  const newest = db.prepare<[], number>("SELECT max(used_at) FROM customers").pluck();

  return {
    /** Call in a transaction; `at` is ms since 1970. */
    use(customers: readonly Customer[], at: number): void {
      for (const customer of customers) {
        save.run({ customerId: String(customer.id), content: JSON.stringify(customer), usedAt: at });
      }
      removeOldest.run();
    },
    /** Searches by name, phone or RNC, most recently used first. */
    search(query: string, limit: number): Customer[] {
      const matches = createMatcher(query);
      return all
        .all()
        .flatMap((row) => parseColumn<Customer | null>(row.content, null) ?? [])
        .filter(matches)
        .slice(0, limit);
    },
    /** When the back-office last sent a customer, ms since 1970; null if none is kept. */
    asOf: (): number | null => newest.get() ?? null,
  };
}

/** Matches all words of a query in a customer's name, or its digits in phone or RNC, ignoring case and formatting. */
function createMatcher(query: string): (customer: Customer) => boolean {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  const digits = digitsOf(query);
  const isNumber = digits !== "" && /^[\d\s()+./-]+$/.test(query);
  return ({ name, phone, rnc }) =>
    words.every((word) => foldText(name).includes(word)) ||
    (isNumber && [phone, rnc].some((number) => digitsOf(number ?? "").includes(digits)));
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}
