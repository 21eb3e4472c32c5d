import type { OutboxReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { OutboxState } from "./report-outbox.ts";

/** Work of a device that the hub did not have yet. */
export interface UnsentWork extends Pick<OutboxState, "pending" | "payments" | "amount"> {
  /** When that was noted (ISO 8601, this device's clock). */
  at: string;
}

/** `unsent` is what waits now, `lost` what went with the storage and nobody has taken notice of. */
export interface UnsentNote {
  unsent: UnsentWork | null;
  lost: UnsentWork | null;
}

/** Where the note is kept: somewhere that does not go with the storage, as the local storage of a browser. */
export interface NoteStorage {
  read(): UnsentNote | null;
  write(note: UnsentNote): void;
}

/**
 * Keeps a note of what waits beside the storage: a browser that runs out of space empties a storage without a word, and an
 * empty outbox looks like one whose work has all arrived. `isEmptied`: nothing at all was in the storage.
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
     * The outbox as it is reported to the hub, with what was lost: nobody may close on it before somebody has looked.
     */
    report(state: OutboxState): OutboxReport {
      const { unsaved: _, toSend: __, ...report } = state;
      if (lost === null) return report;
      const { pending, payments, amount, at } = sumOf(lost, { ...report, at: report.oldestAt ?? lost.at });
      return { pending, payments, amount, oldestAt: at };
    },
    /** To be called whenever the outbox is different. */
    follow({ pending, payments, amount }: OutboxState): void {
      const isSame = pending === (unsent?.pending ?? 0) && amount === (unsent?.amount ?? 0);
      if (isSame && payments === (unsent?.payments ?? 0)) return;
      unsent = pending + payments === 0 ? null : { pending, payments, amount, at: now() };
      storage.write({ unsent, lost });
    },
    /** Somebody has taken notice. */
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
