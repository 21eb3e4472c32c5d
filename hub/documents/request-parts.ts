import type { PrintRequest, Role, StoredOrder } from "@comanda/protocol";
import type { PaperContext } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { explainedError, HubError, requireFound } from "../platform/errors.ts";
import type { JobRow, JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import type { NewPrintJob, Spool } from "../printing/spool.ts";

export interface RequestedBy {
  terminalId: string;
  role: Role;
}

export type RequestedDocument = Pick<
  PrintRequest,
  "document" | "posReference" | "kitchenTicketId" | "parts" | "refundId" | "shiftId"
>;

export interface RequestDeps {
  printers: Pick<Printers, "receiptPrinter">;
  spool: Pick<Spool, "add" | "again" | "printerFor">;
  jobs: Pick<JobStore, "get" | "listByCause" | "listByPrefix" | "blocks">;
  orders: Pick<OrderStore, "shown">;
  paperContext(): PaperContext;
}

export type RequestParts = ReturnType<typeof createRequestParts>;

/** Provides what every request at a terminal needs: its order, its printer and a job. */
export function createRequestParts({ printers, spool, jobs, orders }: RequestDeps) {
  return { printerOf, orderOf, added, again };

  function printerOf(terminalId: string): string {
    const printer = printers.receiptPrinter(terminalId);
    if (printer === null) throw explainedError("NOT_FOUND", "no_receipt_printer");
    return printer.id;
  }

  function orderOf(posReference: string | undefined): StoredOrder {
    if (posReference === undefined) throw new HubError("VALIDATION_ERROR", "posReference: is missing");
    return requireFound(orders.shown(posReference), `there is no order ${posReference}`);
  }

  function added(tx: Tx, job: NewPrintJob): JobRow {
    const made = spool.add(tx, job);
    const row = made === null ? jobs.listByCause(job.cause).at(-1) : jobs.get(made.id);
    if (row == null) throw new Error(`no job was made for ${job.cause}`);
    return row;
  }

  /** Makes a copy. Returns a job that still waits unchanged. */
  function again(tx: Tx, family: readonly JobRow[], { terminalId }: RequestedBy, elsewhere?: string): JobRow {
    const last = requireFound(family.at(-1), "this document was never printed");
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
}

/** Requires a cashier or manager: a second receipt of a payment can be used for fraud. */
export function requireCashier({ role }: Pick<RequestedBy, "role">): void {
  if (role === "waiter") throw new HubError("FORBIDDEN", "only a cashier or manager may print a receipt");
}
