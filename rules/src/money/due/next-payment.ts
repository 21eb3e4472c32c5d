import type { Snapshot } from "@comanda/protocol";
import { dueCents, openTenders } from "./amount-due.ts";
import type { Asked } from "../cash/cash.ts";
import { partsOf, type Division, type Part } from "./parts.ts";
import { paidSince } from "./paid-since.ts";
import { tipOf, tippedAmount, type TipChoice } from "./tip.ts";

/** What is asked for next of a check that is paid in several payments, in cents. */
export interface NextPayment {
  /** What is left of the whole check. */
  due: number;
  /** The payments on the check: those that a choice which is made now has before it. */
  before: string[];
  /** The parts that it is divided into; none: it is not divided. */
  parts: Part[];
  /** Which of them is next; -1: none. */
  next: number;
  /** The next payment: that part, or all that is left, and its tip. */
  asked: Asked;
  /** What that tip is a share of. */
  tipped: number;
}

/** How what is left of a check is divided; `before`: the payments that it had then. */
export interface ChosenParts {
  division: Division;
  before: readonly string[];
}

export function nextPayment(
  snapshot: Pick<Snapshot, "tenders" | "totals">,
  { division: chosen, tip }: { division: ChosenParts | null; tip: TipChoice | null },
): NextPayment {
  const tenders = openTenders(snapshot);
  const due = Math.max(0, dueCents(snapshot));
  const { paid } = paidSince(tenders, chosen?.before);
  const parts = chosen === null || due === 0 ? [] : partsOf(due + paid, chosen.division, paid);
  const next = parts.findIndex(({ left }) => left > 0);
  const amount = parts[next]?.left ?? due;
  return {
    due,
    before: tenders.map(({ tenderId }) => tenderId),
    parts,
    next,
    asked: { amount, tip: tipOf(tip, amount, tenders) },
    tipped: tippedAmount(tip, amount, tenders),
  };
}
