import type { Tender } from "@comanda/protocol";
import { toCents } from "../amounts.ts";

/** An open tender of a check. */
export type OpenTender = Pick<Tender, "tenderId" | "amount" | "tip">;

/** Returns the amount and tips, in cents, of the payments that are not in `before`. */
export function paidSince(
  tenders: readonly OpenTender[],
  before: readonly string[] = [],
): { paid: number; tips: number } {
  const since = tenders.filter(({ tenderId }) => !before.includes(tenderId));
  return {
    paid: since.reduce((cents, { amount }) => cents + toCents(amount), 0),
    tips: since.reduce((cents, { tip = 0 }) => cents + toCents(tip), 0),
  };
}
