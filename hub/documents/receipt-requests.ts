import { isActive } from "@comanda/protocol";
import { completesReceipt, creditNote, receipt } from "@comanda/rules";
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
   * The original where there is none yet, the full one after one that lacked its number or code, else a copy of what was
   * printed last.
   */
  function printReceipt(tx: Tx, { posReference }: Wanted, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    if (isActive(snapshot.status)) throw new HubError("VALIDATION_ERROR", "document: the check is not paid");
    const cause = receiptCause(order.posReference);
    const fullCause = `receipt-full:${order.posReference}`;
    const printerId = printerOf(by.terminalId);
    const blocks = receipt(snapshot, house());
    const add = (of: string) =>
      added(tx, {
        cause: of,
        document: "receipt",
        printerId,
        blocks,
        posReference: order.posReference,
        terminalId: by.terminalId,
      });
    const [first] = jobs.ofCause(cause);
    if (first === undefined) return add(cause);
    const printed = jobs.blocks(first);
    const full = jobs.ofCause(fullCause);
    const isMore = printed !== null && completesReceipt(blocks, { printed, ncf: snapshot.ncf });
    if (isMore && first.state !== "held" && full.length === 0) return add(fullCause);
    return again(tx, full.length > 0 ? full : jobs.ofCause(cause), by, printerId);
  }

  /** The note that was made last, again. */
  function printNote(tx: Tx, { posReference }: Wanted, by: RequestedBy): JobRow {
    requireCashier(by);
    const { snapshot, ...order } = orderOf(posReference);
    const refund = snapshot.refunds?.findLast(({ state }) => state === "made");
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
