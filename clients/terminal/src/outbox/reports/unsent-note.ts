import type { OutboxReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { OutboxState } from "./report-outbox.ts";

/** Work of a device that the hub did not have yet. */
export interface UnsentWork extends Pick<OutboxState, "pending" | "payments" | "amount"> {
  /** When it was noted (ISO 8601, this device's clock). */
  at: string;
}

/** `unsent` is the current unsent work, `lost` is what was lost with the storage and is not acknowledged by a person yet. */
export interface UnsentNote {
  unsent: UnsentWork | null;
  lost: UnsentWork | null;
}

/** Stores the note where it survives the loss of the outbox storage, such as a browser's local storage. */
export interface NoteStorage {
  read(): UnsentNote | null;
  write(note: UnsentNote): void;
}

/**
 * Keeps a note of unsent work outside the outbox storage. A browser that runs out of space clears a storage silently, and an
 * empty outbox looks as if everything was sent. `isEmptied`: the outbox storage was completely empty.
 */
export function createUnsentNote(storage: NoteStorage, isEmptied: boolean, now: () => string) {
  const found = storage.read();
  let lost = found?.lost ?? null;
  if (isEmptied && found?.unsent != null) lost = lost === null ? found.unsent : sumOf(lost, found.unsent);
  let unsent = isEmptied ? null : (found?.unsent ?? null);
  if (isEmptied && lost !== null) storage.write({ unsent, lost });

  return {
    lost: (): UnsentWork | null => lost,
    /**
     * Returns the report to the hub, with the lost work added, so that the session is not closed before a person has looked.
     */
    report(state: OutboxState): OutboxReport {
      const { unsaved: _, toSend: __, ...report } = state;
      if (lost === null) return report;
      const { pending, payments, amount, at } = sumOf(lost, { ...report, at: report.oldestAt ?? lost.at });
      return { pending, payments, amount, oldestAt: at };
    },
    /** Call whenever the outbox has changed. */
    follow({ pending, payments, amount }: OutboxState): void {
      const isSame = pending === (unsent?.pending ?? 0) && amount === (unsent?.amount ?? 0);
      if (isSame && payments === (unsent?.payments ?? 0)) return;
      unsent = pending + payments === 0 ? null : { pending, payments, amount, at: now() };
      storage.write({ unsent, lost });
    },
    /** Clears the lost work after a person has acknowledged it. */
    forget(): void {
      lost = null;
      storage.write({ unsent, lost });
    },
  };
}

function sumOf(one: UnsentWork, other: UnsentWork): UnsentWork {
  const [at = one.at] = [one.at, other.at].toSorted();
  return {
    pending: one.pending + other.pending,
    payments: one.payments + other.payments,
    amount: sum([one.amount, other.amount]),
    at,
  };
}
