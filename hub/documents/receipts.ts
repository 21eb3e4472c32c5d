import type { Refund, Snapshot, StoredOrder } from "@comanda/protocol";
import { awaitsAnswer, creditNote, type PaperContext, receipt } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import type { JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";

interface ReceiptDeps {
  printers: Pick<Printers, "receiptPrinter" | "receiptMode">;
  spool: Pick<Spool, "add" | "complete" | "rewrite">;
  jobs: Pick<JobStore, "listByCause">;
  paperContext(): PaperContext;
  /** How long a receipt of an electronic type waits for its code, ms. */
  receiptWaitMs: number;
}

/** How long a receipt waits for its number, as the answer to the payment does. */
const NUMBER_WAIT_MS = 2_000;

export function receiptCause(posReference: string): string {
  return `receipt:${posReference}`;
}

export function creditNoteCause(posReference: string, { refundId }: Pick<Refund, "refundId">): string {
  return `credit-note:${posReference}:${refundId}`;
}

/** Prints the receipt at the payment that settles a check, and notes for refunds. */
export function receiptRecorder({ printers, spool, jobs, paperContext, receiptWaitMs }: ReceiptDeps): Recorder {
  /** Returns until when the receipt is held (ms since 1970), or null if no answer is awaited. */
  function heldUntilOf(snapshot: Snapshot): number | null {
    const pending = awaitsAnswer(snapshot);
    if (pending === null) return null;
    const { isElectronic } = pending;
    const waitMs =
      pending.for === "code" ? receiptWaitMs : Math.min(NUMBER_WAIT_MS, isElectronic ? receiptWaitMs : Infinity);
    return Date.parse(String(snapshot["paidAt"])) + waitMs;
  }

  function paid(tx: Tx, { order, origin, isRestored }: ChangeOf<"order.stored">): void {
    const { posReference, snapshot } = order;
    if (isRestored || printers.receiptMode(origin) !== "always") return;
    const printer = printers.receiptPrinter(origin);
    if (printer === null) return;
    const heldUntil = heldUntilOf(snapshot);
    spool.add(tx, {
      cause: receiptCause(posReference),
      document: "receipt",
      printerId: printer.id,
      blocks: receipt(snapshot, paperContext()),
      posReference,
      terminalId: origin,
      ...(heldUntil !== null && { heldUntil }),
    });
  }

  /** Writes the back-office's answer for a paid check onto the receipt held for it. */
  function answered(tx: Tx, { posReference, snapshot }: StoredOrder): void {
    const cause = receiptCause(posReference);
    if (jobs.listByCause(cause).every(({ state }) => state !== "held")) return;
    const blocks = receipt(snapshot, paperContext());
    const heldUntil = heldUntilOf(snapshot);
    if (heldUntil === null) spool.complete(tx, cause, blocks);
    else spool.rewrite(tx, cause, blocks, heldUntil);
  }

  function refunded(tx: Tx, { posReference, snapshot }: StoredOrder): void {
    const now = isoTime(tx.now);
    for (const refund of snapshot.refunds ?? []) {
      if (refund.state === "made" && refund.madeAt === now) printNote(tx, { posReference, snapshot }, refund);
    }
  }

  function printNote(
    tx: Tx,
    { posReference, snapshot }: Pick<StoredOrder, "posReference" | "snapshot">,
    refund: Refund,
  ) {
    const printer = printers.receiptPrinter(refund.terminalId);
    if (printer === null) return;
    spool.add(tx, {
      cause: creditNoteCause(posReference, refund),
      document: "credit-note",
      printerId: printer.id,
      blocks: creditNote(snapshot, refund, paperContext()),
      posReference,
      terminalId: refund.terminalId,
    });
  }

  return (change, tx) => {
    if (change.kind !== "order.stored") return;
    if (change.versionKind === "paid") paid(tx, change);
    else if (change.versionKind === "refunded") refunded(tx, change.order);
    else if (change.order.snapshot.fiscal !== undefined && isSettled(change.order)) answered(tx, change.order);
  };
}

function isSettled({ snapshot: { status } }: StoredOrder): boolean {
  return status === "paid" || status === "closed";
}
