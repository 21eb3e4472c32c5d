import type { Tx } from "../../changes/change.ts";
import type { Db } from "../../db/open.ts";

export type NcfStore = ReturnType<typeof createNcfStore>;

/** Stores which order of this hub has which fiscal number. Entries remain when the order is removed. */
export function createNcfStore(db: Db) {
  const findHolder = db.prepare<[string], string>("SELECT pos_reference FROM order_ncf WHERE ncf = ?").pluck();
  const insert = db.prepare<[string, string]>("INSERT OR IGNORE INTO order_ncf (ncf, pos_reference) VALUES (?, ?)");

  return {
    /** The reference of the order that has the number, or null. */
    findHolder: (ncf: string): string | null => findHolder.get(ncf) ?? null,
    /** Stores the number of an order. A number that is already stored stays with its first order. */
    keep: (_tx: Tx, ncf: string, posReference: string): void => void insert.run(ncf, posReference),
  };
}
