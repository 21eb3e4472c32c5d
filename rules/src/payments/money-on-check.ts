import type { Snapshot } from "@comanda/protocol";
import { openTenders, paidSoFar } from "../money/due/amount-due.ts";
import { toCents } from "../money/amounts.ts";

type Tendered = Pick<Snapshot, "tenders">;

/** What the money on a check forbids. */
export type MoneyRefusal =
  | { code: "HAS_TENDERS"; values: { paid: number } }
  | { code: "BELOW_PAID"; values: { paid: number; total: number } };

/** Whether a check may be discarded, or closed by a merge: not while money lies on it. Null when it may. */
export function refusalOfRemoval(check: Tendered): MoneyRefusal | null {
  if (openTenders(check).length === 0) return null;
  return { code: "HAS_TENDERS", values: { paid: paidSoFar(check) } };
}

/** Whether a check may cost so much: no less than what is paid on it. Null when it may. */
export function refusalOfTotal(check: Tendered, total: number): MoneyRefusal | null {
  const paid = paidSoFar(check);
  if (paid === 0 || toCents(total) >= toCents(paid)) return null;
  return { code: "BELOW_PAID", values: { paid, total } };
}
