import { isActive } from "@comanda/protocol";
import { bill } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import type { JobRow } from "../printing/job-store.ts";
import type { TillService } from "../till/till-service.ts";
import { createReceiptRequests } from "./receipt-requests.ts";
import {
  createRequestParts,
  type RequestDeps,
  type RequestedBy,
  requireCashier,
  type RequestedDocument,
} from "./request-parts.ts";
import { noteCauses, ticketCause } from "./station-slips.ts";

export type PrintRequests = ReturnType<typeof createPrintRequests>;

/** Rejects a reprint by a person who could not have requested the job. */
export function requireMayRepeat({ role }: Pick<RequestedBy, "role">, { document, cause }: JobRow): void {
  if (document === "receipt" || document === "credit-note" || document === "till") requireCashier({ role });
  // An X in full states how much the drawer should hold.
  if (role !== "manager" && /^till:[^:]+:x:/.test(cause)) {
    throw new HubError("FORBIDDEN", "only a manager may print the full X report of a shift");
  }
}

/** Handles print requests from terminals, all within a write. */
export function createPrintRequests(
  deps: RequestDeps & { tickets: Pick<TicketStore, "listByOrder">; till: Pick<TillService, "paperOf"> },
) {
  const { jobs, spool, tickets, paperContext, till } = deps;
  const parts = createRequestParts(deps);
  const { printerOf, orderOf, added, again } = parts;
  const { printReceipt, printNote } = createReceiptRequests(deps, parts);

  function printBill(tx: Tx, { posReference, parts }: RequestedDocument, { terminalId }: RequestedBy): JobRow {
    const order = orderOf(posReference);
    if (!isActive(order.snapshot.status)) throw new HubError("VALIDATION_ERROR", "document: the check is paid");
    const causeOf = (printing: number): string => `bill:${order.posReference}:${printing}`;
    let printing = 1;
    while (jobs.listByCause(causeOf(printing)).length > 0) printing += 1;
    const { snapshot } = order;
    return added(tx, {
      cause: causeOf(printing),
      document: "bill",
      printerId: printerOf(terminalId),
      blocks: bill({ snapshot, printing, at: isoTime(tx.now), ...(parts !== undefined && { parts }) }, paperContext()),
      posReference: order.posReference,
      terminalId,
    });
  }

  /** Reprints all slips of a check, or of one of its tickets: the first ones alone would have dishes that were cancelled. */
  function printSlips(tx: Tx, { posReference, kitchenTicketId }: RequestedDocument, by: RequestedBy): JobRow {
    const order = orderOf(posReference);
    const requested = tickets
      .listByOrder(order.posReference)
      .tickets.filter(({ ticket }) => kitchenTicketId === undefined || ticket.id === kitchenTicketId);
    const slips = requested.flatMap(({ ticket }) => jobs.listByPrefix(ticketCause(ticket)));
    // The first slips have the note of their time, so the present one follows.
    const stations = new Set(requested.map(({ ticket }) => noteCauses(order.posReference, ticket)));
    const notes = [...stations].flatMap((causes) => {
      const all = jobs.listByPrefix(causes);
      return all.filter(({ cause }) => cause === all.at(-1)?.cause);
    });
    const families = Map.groupBy([...slips, ...notes], (job) => `${job.cause} ${spool.printerFor(job)?.id}`);
    const [first, ...others] = families.values();
    const job = again(tx, first ?? [], by);
    for (const family of others) again(tx, family, by);
    return job;
  }

  /** Reprints the Z of a closed shift, or prints the X of an open one. */
  function printShift(tx: Tx, { shiftId }: RequestedDocument, by: RequestedBy): JobRow {
    requireCashier(by);
    if (shiftId === undefined) throw new HubError("VALIDATION_ERROR", "shiftId: is missing");
    const { blocks, kind } = till.paperOf(tx, shiftId, by.role);
    const printerId = printerOf(by.terminalId);
    const { terminalId } = by;
    const shiftCause = `till:${shiftId}`;
    if (kind === "z" && jobs.listByCause(shiftCause).length > 0)
      return again(tx, jobs.listByCause(shiftCause), by, printerId);
    const cause = kind === "z" ? shiftCause : `${shiftCause}:${kind}:${tx.now}`;
    return added(tx, { cause, document: "till", printerId, blocks, terminalId });
  }

  return {
    print(tx: Tx, document: RequestedDocument, by: RequestedBy): JobRow {
      switch (document.document) {
        case "bill":
          return printBill(tx, document, by);
        case "receipt":
          return printReceipt(tx, document, by);
        case "credit-note":
          return printNote(tx, document, by);
        case "station":
          return printSlips(tx, document, by);
        case "till":
          return printShift(tx, document, by);
      }
    },
  };
}
