import { isActive } from "@comanda/protocol";
import { creditNote, receipt, replacesReceipt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { JobRow } from "../printing/job-store.ts";
import { creditNoteCause, receiptCause } from "./receipts.ts";
import {
  type RequestDeps,
  type RequestedBy,
  type RequestParts,
  requireCashier,
  type RequestedDocument,
} from "./request-parts.ts";

/** Prints receipts and credit notes on request: each is printed once and copied after that. */
export function createReceiptRequests(
  { jobs, paperContext }: Pick<RequestDeps, "jobs" | "paperContext">,
  { printerOf, orderOf, added, again }: RequestParts,
) {
  return { printReceipt, printNote };

  /**
   * Prints the original if there is none yet. Prints a new one if the last lacked its number or code, or has a number that the
   * check no longer has. Otherwise copies the last one.
   */
  function printReceipt(tx: Tx, { posReference }: RequestedDocument, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    if (isActive(snapshot.status)) throw new HubError("VALIDATION_ERROR", "document: the check is not paid");
    const printerId = printerOf(by.terminalId);
    const blocks = receipt(snapshot, paperContext());
    const add = (cause: string) =>
      added(tx, {
        cause,
        document: "receipt",
        printerId,
        blocks,
        posReference: order.posReference,
        terminalId: by.terminalId,
      });
    const { family, next } = newestReceipt(order.posReference);
    const [original] = family;
    if (original === undefined) return add(receiptCause(order.posReference));
    const printed = jobs.blocks(original);
    if (printed !== null && original.state !== "held" && replacesReceipt(blocks, printed)) return add(next);
    return again(tx, family, by, printerId);
  }

  /** Returns the newest receipt of a check with its copies, and the cause for a receipt that replaces it. */
  function newestReceipt(posReference: string): { family: readonly JobRow[]; next: string } {
    let family = jobs.listByCause(receiptCause(posReference));
    for (let count = 1; ; count += 1) {
      const next = `receipt-full:${posReference}${count === 1 ? "" : `:${count}`}`;
      const replacing = jobs.listByCause(next);
      if (replacing.length === 0) return { family, next };
      family = replacing;
    }
  }

  /** Prints or copies the note of a refund, by default of the latest one made. */
  function printNote(tx: Tx, { posReference, refundId }: RequestedDocument, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    const made = snapshot.refunds?.filter(({ state }) => state === "made");
    const refund = made?.findLast((each) => refundId === undefined || each.refundId === refundId);
    if (refund === undefined) throw new HubError("NOT_FOUND", "this check has no such credit note");
    const cause = creditNoteCause(order.posReference, refund);
    const printerId = printerOf(by.terminalId);
    const family = jobs.listByCause(cause);
    if (family.length > 0) return again(tx, family, by, printerId);
    return added(tx, {
      cause,
      document: "credit-note",
      printerId,
      blocks: creditNote(snapshot, refund, paperContext()),
      posReference: order.posReference,
      terminalId: by.terminalId,
    });
  }
}
