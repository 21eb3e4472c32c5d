import { said, saidInEnglish, type StoredOrder } from "@comanda/protocol";
import { isElectronic, withReceipt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Memory } from "../db/remembered.ts";
import type { FiscalPart } from "../orders/payments/fiscal-rules.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { byHub, saveVersion } from "../orders/store/save-version.ts";
import { readReceipt } from "./read-receipt.ts";

/** Remembers that the back-office knows of electronic receipts. */
const MEMORY = "knows_receipts";

export interface AnswerDeps {
  memory: Memory;
  orders: OrderStore;
  ncfs: NcfStore;
}

/** What the back-office's answers make of an order's number and its receipt. */
export function createReceiptAnswers({ memory, orders, ncfs }: AnswerDeps) {
  /** Whether this back-office has ever said anything of a receipt: one that knows of none is asked for the newest only. */
  let isKnowing = memory.read<boolean>(MEMORY) !== null;

  function whyNotTaken(posReference: string, own: string | undefined, ncf: string): string | null {
    if (own !== undefined && own !== ncf) return saidInEnglish(said("receipt_of_other_number", { ncf, own }));
    const holder = ncfs.holderOf(ncf);
    if (holder === null || holder === posReference) return null;
    return saidInEnglish(said("number_of_another_order", { ncf, posReference: holder }));
  }

  function keepNumber(tx: Tx, posReference: string, { ncf }: FiscalPart): void {
    if (ncf !== undefined) ncfs.keep(tx, ncf, posReference);
  }

  return {
    isKnowing: (): boolean => isKnowing,
    keepNumber,

    /** The order's number and its state with what was answered; null where nothing was. To be stored by the caller. */
    read(tx: Tx, { posReference, snapshot }: StoredOrder, answered: unknown): FiscalPart | null {
      const receipt = readReceipt(answered, snapshot.ncf);
      if (receipt === null) return null;
      if (!isKnowing && isElectronic(receipt.ncf)) {
        isKnowing = true;
        memory.write(MEMORY, true, tx.now);
      }
      return withReceipt(snapshot, receipt, whyNotTaken(posReference, snapshot.ncf, receipt.ncf));
    },

    /** An answer to a later question: a version of the hub's own where it says something new. */
    takeLate(tx: Tx, stored: StoredOrder, part: FiscalPart): StoredOrder {
      const { posReference, snapshot } = stored;
      if (JSON.stringify(part) === JSON.stringify({ ncf: snapshot.ncf, fiscal: snapshot.fiscal })) return stored;
      keepNumber(tx, posReference, part);
      return saveVersion(orders, tx, byHub, {
        posReference,
        snapshot: { ...snapshot, ...part },
        kind: "signed",
        previous: stored,
      }).order;
    },
  };
}
