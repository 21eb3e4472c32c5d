import type { Snapshot } from "@comanda/protocol";
import { openTenders, paidSoFar } from "../money/due/amount-due.ts";
import { toCents } from "../money/amounts.ts";

type Tendered = Pick<Snapshot, "tenders">;

/** Why a change of a check is rejected because of its payments. */
export type MoneyRefusal =
  | { code: "HAS_TENDERS"; values: { paid: number } }
  | { code: "BELOW_PAID"; values: { paid: number; total: number } };

/** Returns why a check may not be discarded or merged: it has open tenders. Null if it may. */
export function refusalOfRemoval(check: Tendered): MoneyRefusal | null {
  if (openTenders(check).length === 0) return null;
  return { code: "HAS_TENDERS", values: { paid: paidSoFar(check) } };
}

/** Returns why a check may not have this total: it is below the amount already paid. Null if it may. */
export function refusalOfTotal(check: Tendered, total: number): MoneyRefusal | null {
  const paid = paidSoFar(check);
  if (paid === 0 || toCents(total) >= toCents(paid)) return null;
  return { code: "BELOW_PAID", values: { paid, total } };
}
