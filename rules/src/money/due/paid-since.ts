import type { Tender } from "@comanda/protocol";
import { toCents } from "../amounts.ts";

/** A payment that lies on a check. */
export type OpenTender = Pick<Tender, "tenderId" | "amount" | "tip">;

/** What was paid on a check beside the payments in `before`, and its tips, in cents. */
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
