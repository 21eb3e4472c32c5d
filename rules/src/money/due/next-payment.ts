import type { Snapshot } from "@comanda/protocol";
import { dueCents, openTenders } from "./amount-due.ts";
import { toCents } from "../amounts.ts";
import type { Asked } from "../cash/cash.ts";
import { partsOf, type Division, type Part } from "./parts.ts";
import { tipOf, type TipChoice } from "./tip.ts";

/** What is asked for next of a check that is paid in several payments, in cents. */
export interface NextPayment {
  /** What is left of the whole check. */
  due: number;
  /** What was taken so far. */
  soFar: { paid: number; tipped: number };
  /** The parts that it is divided into; none: it is not divided. */
  parts: Part[];
  /** Which of them is next; -1: none. */
  next: number;
  /** The next payment: that part, or all that is left, and its tip. */
  asked: Asked;
}

/** `division.paid` is what was paid when the check was divided. */
export function nextPayment(
  snapshot: Pick<Snapshot, "tenders" | "totals">,
  { division, tip }: { division: { division: Division; paid: number } | null; tip: TipChoice | null },
): NextPayment {
  const tenders = openTenders(snapshot);
  const due = Math.max(0, dueCents(snapshot));
  const paid = tenders.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const tipped = tenders.reduce((sum, tender) => sum + toCents(tender.tip ?? 0), 0);
  const soFar = { paid, tipped };
  const parts =
    division === null || due === 0 ? [] : partsOf(due + paid - division.paid, division.division, paid - division.paid);
  const next = parts.findIndex(({ left }) => left > 0);
  const amount = parts[next]?.left ?? due;
  return { due, soFar, parts, next, asked: { amount, tip: tipOf(tip, amount, soFar) } };
}
