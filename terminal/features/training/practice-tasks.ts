import { toCents, sum } from "@comanda/rules";
import { linesOf, type ContentChange, type Intent, type OrderContent } from "@comanda/terminal";

/** The tasks of a newcomer, in order, with the fewest taps from the floor, not counting the PIN. */
export const practiceTasks = [
  { name: "open", taps: 5 },
  { name: "more", taps: 3 },
  { name: "round", taps: 2 },
  { name: "move", taps: 5 },
  { name: "void", taps: 4 },
  { name: "exact", taps: 3 },
  { name: "methods", taps: 4 },
  { name: "halves", taps: 5 },
  { name: "receipt", taps: 2 },
] as const;

export type PracticeTask = (typeof practiceTasks)[number]["name"];

type IntentOf<Type extends Intent["type"]> = Extract<Intent, { type: Type }>;

/** Returns the task that these acts since the floor have completed, or null; the last act was just made. */
export function taskOf(acts: readonly Intent[], taps: number): PracticeTask | null {
  const last = acts.at(-1);
  if (last?.type === "ORDER_SEND") {
    const { posReference } = last;
    return sentTask(
      acts.flatMap((act) => (act.type === "ORDER_UPSERT" && act.posReference === posReference ? [act] : [])),
      taps,
    );
  }
  if (last?.type === "ORDER_TENDER") {
    const { posReference, seen } = last;
    return paidTask(
      acts.flatMap((act) => (act.type === "ORDER_TENDER" && act.posReference === posReference ? [act] : [])),
      seen,
    );
  }
  if (last?.type === "ORDER_BATCH") return last.orders.some(losesSome) ? "move" : null;
  return last?.type === "ORDER_UPSERT" && voidsLine(last) ? "void" : null;
}

function sentTask(edits: readonly ContentChange[], taps: number): PracticeTask | null {
  const dishes = edits.map(({ base, next }) => countOf(next) - (base === null ? 0 : countOf(base)));
  const added = dishes.reduce((sum, each) => sum + each, 0);
  if (edits.some(({ base }) => base === null)) return added >= 3 ? "open" : null;
  // Adding dishes from the menu takes one tap and one edit each. More at once, or with two taps, is a repeated round.
  if (edits.length === 1 && added > 0 && (added > 1 || taps < 3)) return "round";
  return added === 1 ? "more" : null;
}

function paidTask(tenders: readonly IntentOf<"ORDER_TENDER">[], { totals }: OrderContent): PracticeTask | null {
  const amounts = tenders.map(({ amount }) => toCents(amount));
  const [first = 0, second = 0] = amounts;
  const isCovered = amounts.reduce((sum, each) => sum + each, 0) >= toCents(totals?.total ?? 0);
  if (!isCovered || tenders.length > 2) return null;
  if (tenders.length === 1) return tenders[0]?.tendered === tenders[0]?.amount ? "exact" : null;
  // One of the halves gets the odd cent.
  if (Math.abs(first - second) <= 1) return "halves";
  return tenders[0]?.methodId === tenders[1]?.methodId ? null : "methods";
}

/** Whether two lines or more leave a check and others stay: otherwise it is a merge, or one line. */
function losesSome({ base, next }: ContentChange): boolean {
  const before = base === null ? 0 : linesOf(base).length;
  const after = linesOf(next).length;
  return after > 0 && before - after >= 2;
}

function voidsLine({ base, next }: ContentChange): boolean {
  const voided = new Set(base === null ? [] : linesOf(base).flatMap(({ id, voidReason }) => (voidReason ? [id] : [])));
  return linesOf(next).some(({ id, voidReason }) => Boolean(voidReason) && !voided.has(id));
}

function countOf(content: OrderContent): number {
  return sum(linesOf(content).map(({ quantity }) => quantity));
}
