import { randomUUID } from "node:crypto";

/** A payment that was taken at a terminal, under the id that it keeps through every retry. */
interface TakenPayment {
  posReference: string;
  amount: number;
}

/** Records the payments taken at the tables. Each must be on its check, given back, or waiting for a manager. */
export function createMoneyModel() {
  const taken = new Map<string, TakenPayment>();
  return {
    /** Takes a payment under a new id. `pay` enters it at the terminal, which may throw. */
    take(posReference: string, amount: number, pay: (identity: string) => void): void {
      const identity = randomUUID();
      pay(identity);
      taken.set(identity, { posReference, amount });
    },
    /** Forgets a payment that was a mistake: the guest has the money. */
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
