import { isActive } from "@comanda/protocol";
import { creditNote, receipt, replacesReceipt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { JobRow } from "../printing/job-store.ts";
import { creditNoteCause, receiptCause } from "./receipts.ts";
import { type RequestDeps, type RequestedBy, type RequestParts, requireCashier, type Wanted } from "./request-parts.ts";

/** Receipts and credit notes that somebody asks for, each of which is printed once and copied after that. */
export function createReceiptRequests(
  { jobs, house }: Pick<RequestDeps, "jobs" | "house">,
  { printerOf, orderOf, added, again }: RequestParts,
) {
  return { printReceipt, printNote };

  /**
   * The original where there is none yet, another one after one that lacked its number or code, or says a number that the
   * check no longer has, else a copy of what was printed last.
   */
  function printReceipt(tx: Tx, { posReference }: Wanted, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    if (isActive(snapshot.status)) throw new HubError("VALIDATION_ERROR", "document: the check is not paid");
    const printerId = printerOf(by.terminalId);
    const blocks = receipt(snapshot, house());
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

  /** The receipt of a check that replaced all others, with its copies, and the cause of the one that would replace it. */
  function newestReceipt(posReference: string): { family: readonly JobRow[]; next: string } {
    let family = jobs.ofCause(receiptCause(posReference));
    for (let count = 1; ; count += 1) {
      const next = `receipt-full:${posReference}${count === 1 ? "" : `:${count}`}`;
      const replacing = jobs.ofCause(next);
      if (replacing.length === 0) return { family, next };
      family = replacing;
    }
  }

  /** The note of a refund, or that was made last, again. */
  function printNote(tx: Tx, { posReference, refundId }: Wanted, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    const made = snapshot.refunds?.filter(({ state }) => state === "made");
    const refund = made?.findLast((each) => refundId === undefined || each.refundId === refundId);
    if (refund === undefined) throw new HubError("NOT_FOUND", "nothing of it was given back");
    const cause = creditNoteCause(order.posReference, refund);
    const printerId = printerOf(by.terminalId);
    const family = jobs.ofCause(cause);
    if (family.length > 0) return again(tx, family, by, printerId);
    return added(tx, {
      cause,
      document: "credit-note",
      printerId,
      blocks: creditNote(snapshot, refund, house()),
      posReference: order.posReference,
      terminalId: by.terminalId,
    });
  }
}
