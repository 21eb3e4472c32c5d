import { isActive, type PrintRequest, type Role, type StoredOrder } from "@comanda/protocol";
import { bill, creditNote, isPendingReceipt, type PaperHouse, receipt } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { explainedError, HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import type { JobRow, JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import type { NewPrintJob, Spool } from "../printing/spool.ts";
import type { TillService } from "../till/till-service.ts";
import { creditNoteCause, receiptCause } from "./receipts.ts";
import { ticketCause } from "./station-slips.ts";

export interface RequestedBy {
  terminalId: string;
  role: Role;
}

type Wanted = Pick<PrintRequest, "document" | "posReference" | "kitchenTicketId" | "parts" | "shiftId">;

export type PrintRequests = ReturnType<typeof createPrintRequests>;

/** Prints what somebody at a terminal asks for; all within a write. */
export function createPrintRequests(deps: {
  printers: Pick<Printers, "receiptPrinter">;
  spool: Pick<Spool, "add" | "again">;
  jobs: Pick<JobStore, "get" | "ofCause" | "blocks">;
  orders: Pick<OrderStore, "shown">;
  tickets: Pick<TicketStore, "ofOrder">;
  house(): PaperHouse;
  till: Pick<TillService, "paperOf">;
}) {
  const { printers, spool, jobs, orders, tickets, house, till } = deps;

  function printerOf(terminalId: string): string {
    const printer = printers.receiptPrinter(terminalId);
    if (printer === null) throw explainedError("NOT_FOUND", "no_receipt_printer");
    return printer.id;
  }

  function orderOf(posReference: string | undefined): StoredOrder {
    if (posReference === undefined) throw new HubError("VALIDATION_ERROR", "posReference: is missing");
    const order = orders.shown(posReference);
    if (order === null) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
    return order;
  }

  function added(tx: Tx, job: NewPrintJob): JobRow {
    const made = spool.add(tx, job);
    const row = made === null ? jobs.ofCause(job.cause).at(-1) : jobs.get(made.id);
    if (row == null) throw new Error(`no job was made for ${job.cause}`);
    return row;
  }

  function printBill(tx: Tx, { posReference, parts }: Wanted, { terminalId }: RequestedBy): JobRow {
    const order = orderOf(posReference);
    if (!isActive(order.snapshot.status)) throw new HubError("VALIDATION_ERROR", "document: the check is paid");
    const causeOf = (printing: number): string => `bill:${order.posReference}:${printing}`;
    let printing = 1;
    while (jobs.ofCause(causeOf(printing)).length > 0) printing += 1;
    const { snapshot } = order;
    return added(tx, {
      cause: causeOf(printing),
      document: "bill",
      printerId: printerOf(terminalId),
      blocks: bill({ snapshot, printing, at: isoTime(tx.now), ...(parts !== undefined && { parts }) }, house()),
      posReference: order.posReference,
      terminalId,
    });
  }

  /** The original where there is none yet, the full one after a pending one, else a copy of what was printed last. */
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
    const wasPending = isPendingReceipt(jobs.blocks(first) ?? []);
    const full = jobs.ofCause(fullCause);
    if (wasPending && first.state !== "held" && full.length === 0 && !isPendingReceipt(blocks)) return add(fullCause);
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

  /** A copy; what still waits to be printed is answered as it is. */
  function again(tx: Tx, family: readonly JobRow[], { terminalId }: RequestedBy, elsewhere?: string): JobRow {
    const last = family.at(-1);
    if (last === undefined) throw new HubError("NOT_FOUND", "nothing of it was printed");
    const waiting = family.find(({ state }) => state === "held" || state === "waiting");
    if (waiting !== undefined) return waiting;
    const isElsewhere = elsewhere !== undefined && family.every(({ printerId }) => printerId !== elsewhere);
    const own = family.findLast(({ printerId }) => printerId === elsewhere) ?? last;
    return spool.again(tx, own.jobId, undefined, {
      by: terminalId,
      isBehind: true,
      ...(isElsewhere && { elsewhere }),
    });
  }

  /** The slips of a check, or of one of its tickets, on the printers where they came out. */
  function printSlips(tx: Tx, { posReference, kitchenTicketId }: Wanted, by: RequestedBy): JobRow {
    const order = orderOf(posReference);
    const wanted = tickets
      .ofOrder(order.posReference)
      .tickets.filter(({ ticket }) => kitchenTicketId === undefined || ticket.id === kitchenTicketId);
    const families = wanted.flatMap(({ ticket }) => [
      ...Map.groupBy(jobs.ofCause(ticketCause(ticket)), ({ printerId }) => printerId).values(),
    ]);
    const [first, ...rest] = families;
    const job = again(tx, first ?? [], by);
    for (const family of rest) again(tx, family, by);
    return job;
  }

  /** The Z of a closed shift again, or the X of one that is not. */
  function printShift(tx: Tx, { shiftId = "" }: Wanted, by: RequestedBy): JobRow {
    requireCashier(by);
    const { blocks, isClosed } = till.paperOf(tx, shiftId, by.role);
    const printerId = printerOf(by.terminalId);
    const { terminalId } = by;
    const cause = `till:${shiftId}`;
    if (isClosed && jobs.ofCause(cause).length > 0) return again(tx, jobs.ofCause(cause), by, printerId);
    const ofX = `${cause}:x:${tx.now}`;
    return added(tx, { cause: isClosed ? cause : ofX, document: "till", printerId, blocks, terminalId });
  }

  return {
    print(tx: Tx, wanted: Wanted, by: RequestedBy): JobRow {
      switch (wanted.document) {
        case "bill":
          return printBill(tx, wanted, by);
        case "receipt":
          return printReceipt(tx, wanted, by);
        case "credit-note":
          return printNote(tx, wanted, by);
        case "station":
          return printSlips(tx, wanted, by);
        case "till":
          return printShift(tx, wanted, by);
      }
    },
  };
}

/** Another receipt of the same payment is good for fraud. */
function requireCashier({ role }: RequestedBy): void {
  if (role === "waiter") throw new HubError("FORBIDDEN", "only a cashier or manager may print a receipt");
}
