import type { KitchenTicket, Printer } from "@comanda/protocol";
import { marked, ONLY_STATION, type PaperContext, slipsOf, stationSlip, type TicketSlip } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime } from "../platform/world.ts";
import type { JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";

export interface SlipDeps {
  printers: Pick<Printers, "list" | "stationPrinters" | "defaultPrinter" | "isPaperOnly">;
  spool: Pick<Spool, "add" | "addUnprintable" | "addUnconfirmed">;
  jobs: Pick<JobStore, "listByCause">;
  orders: Pick<OrderStore, "get" | "lastContent">;
  tickets: Pick<TicketStore, "listByOrder">;
  paperContext(): PaperContext;
}

export type StationSlips = ReturnType<typeof createStationSlips>;

export function stationOf({ stationId }: Pick<KitchenTicket, "stationId">): string {
  return stationId ?? ONLY_STATION;
}

/** Returns the cause of a ticket's first slip. */
export function ticketCause({ id }: Pick<KitchenTicket, "id">): string {
  return `ticket:${id}`;
}

/** Returns how the causes of the slips begin that have the note of a check for the station of a ticket. */
export function noteCauses(posReference: string, ticket: Pick<KitchenTicket, "stationId">): string {
  return `note:${posReference}:${stationOf(ticket)}:`;
}

/**
 * Returns the cause of a note's slip, null for other slips. It is the same for all tickets of the check at the station: its note
 * is printed once there.
 */
function noteCause({ now, firstSeq }: Tx, ticket: KitchenTicket, { kind, to }: TicketSlip): string | null {
  if (kind !== "note" || to === undefined) return null;
  return `${noteCauses(to.posReference, ticket)}${now}.${firstSeq}`;
}

/** Returns the ticket whose first slip has this cause, or null for other causes. */
export function ticketOfCause(cause: string): string | null {
  return /^ticket:([^:]+)$/.exec(cause)?.[1] ?? null;
}

/** Prints slips for stations in the order of events. */
export function createStationSlips({ printers, spool, jobs, orders, tickets, paperContext }: SlipDeps) {
  /**
   * Returns the printers for a later slip of a ticket; if its station has none, those that have the first one. None: a person
   * has to inform the kitchen. Null: no slip is needed.
   */
  function printersOfChange(ticket: KitchenTicket): Printer[] | null {
    const out = jobs.listByCause(ticketCause(ticket));
    const printed = out.filter(({ error }) => error !== "no_printer");
    // The first slip is still to come, with what is left to make, or a display has shown the ticket.
    if (out.length === 0 || (printed.length === 0 && ticket.seen.length > 0)) return null;
    const own = printers.stationPrinters(stationOf(ticket));
    if (printed.length === 0 || own.length > 0) return printed.length === 0 ? [] : own;
    const remaining = printers.list().filter(({ id }) => printed.some(({ sentTo }) => sentTo === id));
    return remaining.length > 0 ? remaining : [printers.defaultPrinter()].filter((printer) => printer !== null);
  }

  function hasEarlier({ id, posReference, stationId }: KitchenTicket): boolean {
    return tickets
      .listByOrder(posReference)
      .tickets.some(({ ticket }) => ticket.id !== id && ticket.stationId === stationId);
  }

  /** Returns the check's content. A discarded check is no longer an order, but its slip still names it. */
  function contentOf({ posReference }: Pick<KitchenTicket, "posReference">) {
    return orders.get(posReference) ?? orders.lastContent(posReference);
  }

  function blocksOf(tx: Tx, ticket: KitchenTicket, slip: TicketSlip) {
    const { kind, dishes, from, to } = slip;
    const order = (to && contentOf(to)) ?? contentOf(ticket);
    const check = { ...(order?.snapshot ?? { guestCount: 0 }), ...(kind === "note" && { notes: to?.notes }) };
    const head = { ...ticket, ...to };
    return stationSlip(
      { kind, ticket: head, dishes, check, at: isoTime(tx.now), ...(from && { from }) },
      paperContext(),
    );
  }

  function jobOf(tx: Tx, ticket: KitchenTicket, slip: TicketSlip, about: { cause: string; by: string }) {
    return {
      cause: about.cause,
      document: "station" as const,
      blocks: blocksOf(tx, ticket, slip),
      posReference: ticket.posReference,
      stationId: stationOf(ticket),
      terminalId: about.by,
    };
  }

  /** Returns the jobs for slips that follow from one change. */
  function jobsOf(
    tx: Tx,
    ticket: KitchenTicket,
    slips: readonly TicketSlip[],
    { by, seq }: { by: string; seq: number },
  ) {
    return slips.map((slip, index) => {
      // A restored file reuses numbers but keeps the earlier jobs.
      const change = slip.kind === "new" ? "" : `:${slip.kind}:${tx.now}.${seq}.${index}`;
      const cause = noteCause(tx, ticket, slip) ?? ticketCause(ticket) + change;
      return jobOf(tx, ticket, withKind(ticket, slip), { cause, by });
    });
  }

  /** Builds the slips of a ticket never printed, with what is left to make; none if that is nothing. */
  function wholeJobs(tx: Tx, ticket: KitchenTicket) {
    const slips = slipsOf(null, ticket, tx.now);
    if (slips[0]?.dishes.length === 0) return [];
    return jobsOf(tx, ticket, slips, { by: ticket.terminalId, seq: 0 });
  }

  function withKind(ticket: KitchenTicket, slip: TicketSlip): TicketSlip {
    return slip.kind === "new" && hasEarlier(ticket) ? { ...slip, kind: "addition" } : slip;
  }

  function follow(tx: Tx, { ticket, before, origin, seq }: ChangeOf<"ticket.changed">): void {
    const isNew = before === null;
    const slips = slipsOf(before, ticket, tx.now);
    if (slips.length === 0) return;
    const to = isNew ? printers.stationPrinters(stationOf(ticket)) : printersOfChange(ticket);
    if (to === null) return;
    for (const job of jobsOf(tx, ticket, slips, { by: origin, seq })) {
      for (const { id: printerId } of to) spool.add(tx, { ...job, printerId });
      if (to.length === 0 && !isNew) spool.addUnprintable(tx, job);
    }
  }

  /** Adds an earlier ticket as unconfirmed. Without displays, only a slip shows that it was sent: a person decides. */
  function noteEarlier(tx: Tx, ticket: KitchenTicket): void {
    if (jobs.listByCause(ticketCause(ticket)).length > 0) return;
    const isSettled = ticket.isOver || !printers.isPaperOnly(stationOf(ticket));
    for (const job of wholeJobs(tx, ticket)) {
      for (const { id: printerId } of printers.stationPrinters(stationOf(ticket))) {
        spool.addUnconfirmed(tx, { ...job, printerId }, { isSettled });
      }
    }
  }

  return {
    record: ((change, tx) => {
      if (change.kind !== "ticket.changed") return;
      const { ticket, before, isRestored } = change;
      // A ticket that returned with a restore or was rebuilt after damage.
      if (before === null && ticket.sentAt !== isoTime(tx.now)) noteEarlier(tx, ticket);
      else if (isRestored !== true) follow(tx, change);
    }) satisfies Recorder,

    /** Prints a ticket in its current state on another printer, because its station has none. */
    printElsewhere(tx: Tx, ticket: KitchenTicket, printer: Printer): void {
      for (const job of wholeJobs(tx, ticket)) {
        spool.add(tx, { ...job, printerId: printer.id, blocks: marked(job.blocks, `PARA ${stationLabel(ticket)}`) });
      }
    },

    /** Reports a ticket as unprintable to the terminal that sent it. */
    reportUnprinted(tx: Tx, ticket: KitchenTicket): void {
      for (const job of wholeJobs(tx, ticket)) spool.addUnprintable(tx, job);
    },
  };
}

function stationLabel({ stationName }: KitchenTicket): string {
  return (stationName ?? "Cocina").toUpperCase();
}
