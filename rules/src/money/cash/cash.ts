import { toCents } from "../amounts.ts";

/** What one payment is to bring, in cents: the check's amount and the tip on top of it. */
export interface Asked {
  amount: number;
  tip: number;
}

/** What one payment brings, in cents; `change` is given back. */
export interface Taken extends Asked {
  change: number;
}

/** What people pay with, in whole units of the currency: the notes, and the steps to which they make an amount even. */
interface Notes {
  notes: readonly number[];
  steps: readonly number[];
}

const notesByCurrency: Readonly<Record<string, Notes>> = {
  DOP: { notes: [200, 500, 1000, 2000], steps: [50, 100, 500, 1000, 2000] },
};
const otherNotes: Notes = { notes: [10, 20, 50, 100], steps: [5, 10, 20, 50, 100] };

/** How many notes are offered that pay only a part: the rest comes by another method. */
const PARTS_OFFERED = 2;

/** What may be handed over for an amount, in cents, rising: the next even amounts above it, and the largest notes below. */
export function cashProposals({ amount, tip }: Asked, currency: string): number[] {
  const { notes, steps } = notesByCurrency[currency] ?? otherNotes;
  const asked = amount + tip;
  const above = steps.map(toCents).map((step) => Math.ceil(asked / step) * step);
  const below = notes.map(toCents).filter((note) => note < asked);
  const offered = new Set([...below.slice(-PARTS_OFFERED), ...above.filter((cents) => cents > asked)]);
  return [...offered].toSorted((one, other) => one - other);
}

/** Pays the check first, then the tip; the rest is change. What is too little pays a part of the check. */
export function settleCash(handed: number, asked: Asked): Taken {
  const amount = Math.min(handed, asked.amount);
  const tip = Math.min(handed - amount, asked.tip);
  return { amount, tip, change: handed - amount - tip };
}
