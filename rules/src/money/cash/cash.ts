import { toCents } from "../amounts.ts";

/** The amount requested from one payment, in cents: the part of the check, and the tip on top. */
export interface Charge {
  amount: number;
  tip: number;
}

/** What one payment brings, in cents; `change` is returned. */
export interface SettledCash extends Charge {
  change: number;
}

/** Notes of a currency in whole units, and the steps to which amounts are rounded up. */
interface Notes {
  notes: readonly number[];
  steps: readonly number[];
}

const notesByCurrency: Readonly<Record<string, Notes>> = {
  DOP: { notes: [200, 500, 1000, 2000], steps: [50, 100, 500, 1000, 2000] },
};
const otherNotes: Notes = { notes: [10, 20, 50, 100], steps: [5, 10, 20, 50, 100] };

/** How many notes below the amount are offered, for guests who pay the rest in another way. */
const PARTS_OFFERED = 2;

/** Returns proposed cash amounts in cents, ascending: the largest notes below the amount, and round amounts above it. */
export function cashProposals({ amount, tip }: Charge, currency: string): number[] {
  const { notes, steps } = notesByCurrency[currency] ?? otherNotes;
  const total = amount + tip;
  const above = steps.map(toCents).map((step) => Math.ceil(total / step) * step);
  const below = notes.map(toCents).filter((note) => note < total);
  const offered = new Set([...below.slice(-PARTS_OFFERED), ...above.filter((cents) => cents > total)]);
  return [...offered].toSorted((one, other) => one - other);
}

/** Pays the check first and then the tip; the rest is change. A smaller amount pays a part of the check. */
export function settleCash(tendered: number, charge: Charge): SettledCash {
  const amount = Math.min(tendered, charge.amount);
  const tip = Math.min(tendered - amount, charge.tip);
  return { amount, tip, change: tendered - amount - tip };
}
