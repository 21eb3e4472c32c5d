import { createStore } from "@comanda/ui/store.ts";

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

export const outcomes = createStore<readonly Outcome[]>([]);

export function addOutcome(outcome: Outcome): void {
  outcomes.set([...outcomes.get(), outcome]);
}

export function dismissOutcome(id: string): void {
  outcomes.set(outcomes.get().filter((outcome) => outcome.id !== id));
}
