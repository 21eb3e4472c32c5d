import { sum } from "@comanda/rules";
import { createStore } from "@comanda/ui/store.ts";
import { isPractice } from "../../lib/device/practice.ts";
import { readSaved, save } from "../../lib/device/saved.ts";

/** What is left to do by hand after a refused payment was applied to its changed check; amounts in the order's currency. */
export interface Outcome {
  id: string;
  posReference: string;
  place: string;
  collect: number;
  giveBack: number;
  /** A check with an amount due that has dishes already paid for. */
  rest: { posReference: string; place: string } | null;
}

const KEY = "comanda-terminal-outcomes";

// A practice starts without outcomes.
if (isPractice) save(KEY, null);

/** Persisted, and shared by all tabs of the device: guests or staff wait for this money. */
export const outcomes = createStore(readOutcomes());
addEventListener("storage", () => outcomes.set(readOutcomes()));

/** Adds an outcome. If the payment was refused before, adds what was then left to give back. */
export function addOutcome(outcome: Outcome): void {
  const all = readOutcomes();
  const before = all.find(({ id }) => id === outcome.id);
  const others = all.filter((each) => each !== before);
  const giveBack = sum([before?.giveBack ?? 0, outcome.giveBack]);
  keepOutcomes([...others, { ...outcome, giveBack, rest: outcome.rest ?? before?.rest ?? null }]);
}

export function dismissOutcome(id: string): void {
  keepOutcomes(readOutcomes().filter((outcome) => outcome.id !== id));
}

/** Reads the current value, which another tab may have changed. */
function readOutcomes(): readonly Outcome[] {
  return readSaved(KEY, areOutcomes) ?? [];
}

function keepOutcomes(next: readonly Outcome[]): void {
  save(KEY, next);
  outcomes.set(next);
}

function areOutcomes(value: unknown): value is readonly Outcome[] {
  return Array.isArray(value) && value.every((each) => typeof (each as Outcome).collect === "number");
}
