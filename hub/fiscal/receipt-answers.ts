import { sentence, sentenceInEnglish, type StoredOrder } from "@comanda/protocol";
import { isElectronic, withReceipt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Memory } from "../db/remembered.ts";
import type { FiscalPart } from "../orders/payments/fiscal-rules.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { hubWriter, saveVersion } from "../orders/store/save-version.ts";
import { readReceipt } from "./read-receipt.ts";

/** Memory key: the back-office knows electronic receipts. */
const MEMORY = "knows_receipts";

export interface AnswerDeps {
  memory: Memory;
  orders: OrderStore;
  ncfs: NcfStore;
}

/** Applies the back-office's answers to an order's number and receipt. */
export function createReceiptAnswers({ memory, orders, ncfs }: AnswerDeps) {
  /** Whether the back-office has ever sent a receipt. Otherwise only the newest receipt is requested. */
  let hasSeenReceipt = memory.read<boolean>(MEMORY) !== null;

  function mismatchOf(posReference: string, own: string | undefined, ncf: string): string | null {
    if (own !== undefined && own !== ncf) return sentenceInEnglish(sentence("receipt_of_other_number", { ncf, own }));
    const holder = ncfs.findHolder(ncf);
    if (holder === null || holder === posReference) return null;
    return sentenceInEnglish(sentence("number_of_another_order", { ncf, posReference: holder }));
  }

  function keepNumber(tx: Tx, posReference: string, { ncf }: FiscalPart): void {
    if (ncf !== undefined) ncfs.keep(tx, ncf, posReference);
  }

  return {
    hasSeenReceipt: (): boolean => hasSeenReceipt,
    keepNumber,

    /** Returns the order's number and state after an answer, or null if it has no receipt. The caller stores it. */
    read(tx: Tx, { posReference, snapshot }: StoredOrder, answered: unknown): FiscalPart | null {
      const receipt = readReceipt(answered, snapshot.ncf);
      if (receipt === null) return null;
      if (!hasSeenReceipt && isElectronic(receipt.ncf)) {
        hasSeenReceipt = true;
        memory.write(MEMORY, true, tx.now);
      }
      return withReceipt(snapshot, receipt, mismatchOf(posReference, snapshot.ncf, receipt.ncf));
    },

    /** Applies the answer to a later request. Saves a new version by the hub if it has news. */
    takeLate(tx: Tx, stored: StoredOrder, part: FiscalPart): StoredOrder {
      const { posReference, snapshot } = stored;
      if (JSON.stringify(part) === JSON.stringify({ ncf: snapshot.ncf, fiscal: snapshot.fiscal })) return stored;
      keepNumber(tx, posReference, part);
      return saveVersion(orders, tx, hubWriter, {
        posReference,
        snapshot: { ...snapshot, ...part },
        kind: "signed",
        previous: stored,
      }).order;
    },
  };
}
