import type { Snapshot } from "@comanda/protocol";
import { dueCents, openTenders } from "./amount-due.ts";
import type { Charge } from "../cash/cash.ts";
import { partsOf, type Division, type Part } from "./parts.ts";
import { paidSince } from "./paid-since.ts";
import { tipOf, tippedAmount, type TipChoice } from "./tip.ts";

/** The next payment of a check that is paid in several, in cents. */
export interface NextPayment {
  /** What is left of the whole check. */
  due: number;
  /** The ids of the open payments, to be stored with a choice that is made now. */
  before: string[];
  /** The parts of a divided check; empty if it is not divided. */
  parts: Part[];
  /** The index of the next unpaid part; -1 if there is none. */
  next: number;
  /** The next payment: that part, or everything left, plus its tip. */
  charge: Charge;
  /** The amount that the tip is a percentage of. */
  tipped: number;
}

/** How the rest of a check is divided; `before` are the payments it had at that time. */
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
    charge: { amount, tip: tipOf(tip, amount, tenders) },
    tipped: tippedAmount(tip, amount, tenders),
  };
}
