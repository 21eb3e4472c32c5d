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

/** Over a reload, too: somebody waits for this money. It is none of the practice's. */
export const outcomes = createStore<readonly Outcome[]>((isPractice ? null : readSaved(KEY, areOutcomes)) ?? []);
outcomes.subscribe(() => save(KEY, outcomes.get()));

/** A payment that was refused once more brings what was left of it after the last time: that is given back beside what is now. */
export function addOutcome(outcome: Outcome): void {
  const before = outcomes.get().find(({ id }) => id === outcome.id);
  const others = outcomes.get().filter((each) => each !== before);
  const giveBack = sum([before?.giveBack ?? 0, outcome.giveBack]);
  outcomes.set([...others, { ...outcome, giveBack, rest: outcome.rest ?? before?.rest ?? null }]);
}

export function dismissOutcome(id: string): void {
  outcomes.set(outcomes.get().filter((outcome) => outcome.id !== id));
}

function areOutcomes(value: unknown): value is readonly Outcome[] {
  return Array.isArray(value) && value.every((each) => typeof (each as Outcome).collect === "number");
}
