import { sum } from "@comanda/rules";
import { createStore } from "@comanda/ui/store.ts";
import { isPractice } from "../../lib/device/practice.ts";
import { readSaved, save } from "../../lib/device/saved.ts";

/** What is left to do by hand after a payment was put on its changed check; amounts in the order's currency. */
export interface Outcome {
  id: string;
  posReference: string;
  place: string;
  collect: number;
  giveBack: number;
  /** A check that is due, to which dishes that were paid for have gone. */
  rest: { posReference: string; place: string } | null;
}

const KEY = "comanda-terminal-outcomes";

// It is none of the practice's.
if (isPractice) save(KEY, null);

/** Over a reload, too, and in each tab of the device: somebody waits for this money. */
export const outcomes = createStore(readOutcomes());
addEventListener("storage", () => outcomes.set(readOutcomes()));

/** A payment that was refused once more brings what was left of it after the last time: that is given back beside what is now. */
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

/** As whichever tab has left them. */
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
