import { toCents } from "./amounts.ts";

/** What one payment is to bring, in cents: the check's amount and the tip on top of it. */
export interface Asked {
  amount: number;
  tip: number;
}

/** What one payment brings, in cents; `change` is given back. */
export interface Taken extends Asked {
  change: number;
}

/** The notes that people pay with, in whole units of the currency. */
const notesByCurrency: Readonly<Record<string, readonly number[]>> = { DOP: [200, 500, 1000, 2000] };
const otherNotes = [10, 20, 50, 100];

/**
 * What may be handed over, in cents, rising: the notes at their fixed places, and for more than the largest note what
 * people put together from notes.
 */
export function cashProposals({ amount, tip }: Asked, currency: string): number[] {
  const notes = (notesByCurrency[currency] ?? otherNotes).map(toCents);
  const asked = amount + tip;
  const largest = notes.at(-1) ?? 0;
  if (asked <= largest) return notes;
  const together = notes.slice(1).map((note) => Math.ceil(asked / note) * note);
  return [...notes, ...new Set(together)].toSorted((one, other) => one - other);
}

/** Pays the check first, then the tip; the rest is change. What is too little pays a part of the check. */
export function settleCash(handed: number, asked: Asked): Taken {
  const amount = Math.min(handed, asked.amount);
  const tip = Math.min(handed - amount, asked.tip);
  return { amount, tip, change: handed - amount - tip };
}
