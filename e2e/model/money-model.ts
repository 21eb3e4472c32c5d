import { randomUUID } from "node:crypto";

/** Money that somebody took at a terminal, under the identity that it keeps through every retry. */
interface Taken {
  posReference: string;
  amount: number;
}

/** What was taken at the tables, by order: it has to be on its check, given back, or in front of a manager. */
export function createMoneyModel() {
  const taken = new Map<string, Taken>();
  return {
    /** Money changes hands; answers its identity. `pay` tells the terminal, which may refuse. */
    take(posReference: string, amount: number, pay: (identity: string) => void): void {
      const identity = randomUUID();
      pay(identity);
      taken.set(identity, { posReference, amount });
    },
    /** The payment was never right: the guest has the money. */
    neverTaken: (identity: string): void => void taken.delete(identity),
    byOrder(): Map<string, number> {
      const sums = new Map<string, number>();
      for (const { posReference, amount } of taken.values()) {
        sums.set(posReference, (sums.get(posReference) ?? 0) + amount);
      }
      return sums;
    },
  };
}
