import { type ElectronicReceipt, sentence, type Sentence, type Snapshot, type StoredOrder } from "@comanda/protocol";
import { OTHER_NUMBER, receiptStanding, typeOfNumber } from "@comanda/rules";
import type { Recorder, Tx } from "../changes/change.ts";
import { type FiscalRequests, isReceipt } from "./fiscal-requests.ts";

/** The first pause before a receipt is requested again; each pause is twice as long as the one before. */
export const FIRST_WAIT_MS = 500;
/** The first pause for a signed receipt: the tax office takes its time. */
export const FIRST_FOLLOW_MS = 60_000;

/** Records what has to follow for an order's receipt, in the transaction that closes the order or stores its receipt. */
export function receiptRecorder(requests: FiscalRequests, pollMs: number): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || (change.versionKind !== "closed" && change.versionKind !== "signed")) return;
    noteReceipt(requests, tx, change.order, Math.min(FIRST_WAIT_MS, pollMs));
  };
}

/** Brings the row of an order's receipt up to date with the order. */
export function noteReceipt(requests: FiscalRequests, tx: Tx, order: StoredOrder, waitMs = 0): void {
  const { posReference, snapshot } = order;
  const { ncf = null } = snapshot;
  const [current, row] = [receiptStanding(snapshot), requests.get(posReference)];
  if (row?.state === current || (row !== null && !isReceipt(row))) return;
  const isPending = current === "signing" || current === "sent";
  // A settled receipt stays settled when its check is stored again, for example after a restore.
  const isOver = current !== null && !isPending && requests.isDismissed(posReference, ncf);
  const standing = isOver ? null : current;
  if (standing === null) {
    if (row !== null && row.state !== "contingency") requests.remove(tx, posReference);
    return tx.notify(["fiscal"]);
  }
  const type = typeOfNumber(ncf ?? "");
  if (isPending || standing === "contingency") {
    const firstMs = standing === "sent" ? FIRST_FOLLOW_MS : waitMs;
    requests.noteReceipt(tx, { posReference, state: standing, type, ncf }, tx.now + firstMs);
    return tx.notify(["fiscal"]);
  }
  const error = standing === "rejected" ? rejectionOf(snapshot.fiscal?.ecf) : conflict(snapshot);
  const errorCode = standing === "conflict" ? OTHER_NUMBER : null;
  requests.noteReceipt(tx, { posReference, state: standing, type, ncf, error, errorCode });
  notifyManager(tx, posReference, error);
}

/** Returns the tax office's rejection, in its words. */
export function rejectionOf(ecf: ElectronicReceipt | undefined): Sentence {
  return { ...sentence("receipt_rejected"), ...(ecf?.error !== undefined && { words: ecf.error }) };
}

function conflict({ ncf, fiscal }: Snapshot): Sentence {
  const other = fiscal?.ecf?.ncf;
  if (ncf === undefined || other === undefined || other === ncf) return { words: fiscal?.error ?? "" };
  return sentence("receipt_of_other_number", { ncf: other, own: ncf });
}

/** Notifies the managers of a receipt that needs a decision. */
export function notifyManager(tx: Tx, posReference: string, reason: Sentence): void {
  tx.notify(["fiscal"], { kind: "fiscal_receipt", level: "bad", detail: { posReference, said: reason } });
}
