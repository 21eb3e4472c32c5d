import type { KitchenTicket, Printer } from "@comanda/protocol";
import { marked, ONLY_STATION, type PaperHouse, slipsOf, stationSlip, type TicketSlip } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isoTime } from "../platform/world.ts";
import type { JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";

export interface SlipDeps {
  printers: Pick<Printers, "list" | "stationPrinters" | "housePrinter" | "isPaperOnly">;
  spool: Pick<Spool, "add" | "addUnprintable" | "addUnconfirmed">;
  jobs: Pick<JobStore, "ofCause">;
  orders: Pick<OrderStore, "get" | "lastContent">;
  tickets: Pick<TicketStore, "ofOrder">;
  house(): PaperHouse;
}

export type StationSlips = ReturnType<typeof createStationSlips>;

export function stationOf({ stationId }: Pick<KitchenTicket, "stationId">): string {
  return stationId ?? ONLY_STATION;
}

/** What the first slip of a ticket is printed for. */
export function ticketCause({ id }: Pick<KitchenTicket, "id">): string {
  return `ticket:${id}`;
}

/** The ticket whose first slip is printed for this; null for anything else. */
export function ticketOfCause(cause: string): string | null {
  return /^ticket:([^:]+)$/.exec(cause)?.[1] ?? null;
}

/** What stations are told on paper, in the order in which it happened. */
export function createStationSlips({ printers, spool, jobs, orders, tickets, house }: SlipDeps) {
  /** What a station without a printer was told on another one is told there to the end. */
  function printersOf(ticket: KitchenTicket, isNew: boolean): Printer[] {
    const own = printers.stationPrinters(stationOf(ticket));
    if (own.length > 0 || isNew || printers.list().length === 0) return own;
    const out = jobs.ofCause(ticketCause(ticket)).filter(({ error }) => error !== "no_printer");
    const left = printers.list().filter(({ id }) => out.some(({ sentTo }) => sentTo === id));
    const house = printers.housePrinter();
    return left.length > 0 || out.length === 0 || house === null ? left : [house];
  }

  function hasEarlier({ id, posReference, stationId }: KitchenTicket): boolean {
    return tickets
      .ofOrder(posReference)
      .tickets.some(({ ticket }) => ticket.id !== id && ticket.stationId === stationId);
  }

  /** A check that was just discarded is no order any more; its slip says whose it was all the same. */
  function contentOf({ posReference }: Pick<KitchenTicket, "posReference">) {
    return orders.get(posReference) ?? orders.lastContent(posReference);
  }

  function blocksOf(tx: Tx, ticket: KitchenTicket, slip: TicketSlip) {
    const { kind, dishes, from, to } = slip;
    const order = (to && contentOf(to)) ?? contentOf(ticket);
    const check = order?.snapshot ?? { guestCount: 0 };
    const head = { ...ticket, ...to };
    return stationSlip({ kind, ticket: head, dishes, check, at: isoTime(tx.now), ...(from && { from }) }, house());
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

  /** Of a ticket that nobody has printed, with what is left of it to make; null where that is nothing. */
  function wholeJob(tx: Tx, ticket: KitchenTicket) {
    const [slip] = slipsOf(null, ticket, tx.now);
    if (slip === undefined || slip.dishes.length === 0) return null;
    return jobOf(tx, ticket, withKind(ticket, slip), { cause: ticketCause(ticket), by: ticket.terminalId });
  }

  function withKind(ticket: KitchenTicket, slip: TicketSlip): TicketSlip {
    return slip.kind === "new" && hasEarlier(ticket) ? { ...slip, kind: "addition" } : slip;
  }

  function follow(tx: Tx, { ticket, before, origin, seq }: ChangeOf<"ticket.changed">): void {
    const isNew = before === null;
    const slips = slipsOf(before, ticket, tx.now);
    if (slips.length === 0) return;
    const to = printersOf(ticket, isNew);
    if (to.length === 0) return;
    for (const [index, slip] of slips.entries()) {
      // A restored file gives numbers again, and keeps the jobs of the one before.
      const cause = isNew ? ticketCause(ticket) : `${ticketCause(ticket)}:${slip.kind}:${tx.now}.${seq}.${index}`;
      const job = jobOf(tx, ticket, withKind(ticket, slip), { cause, by: origin });
      for (const { id: printerId } of to) spool.add(tx, { ...job, printerId });
    }
  }

  /** What was told long ago. Where nobody marks dishes nothing but its slip says that it was: a person is asked. */
  function noteTold(tx: Tx, ticket: KitchenTicket): void {
    if (jobs.ofCause(ticketCause(ticket)).length > 0) return;
    const job = wholeJob(tx, ticket);
    if (job === null) return;
    const isSettled = ticket.isOver || !printers.isPaperOnly(stationOf(ticket));
    for (const { id: printerId } of printersOf(ticket, true)) {
      spool.addUnconfirmed(tx, { ...job, printerId }, { isSettled });
    }
  }

  return {
    record: ((change, tx) => {
      if (change.kind !== "ticket.changed") return;
      const { ticket, before, isRestored } = change;
      // One that comes back with a restore, or was rebuilt after damage.
      if (before === null && ticket.sentAt !== isoTime(tx.now)) noteTold(tx, ticket);
      else if (isRestored !== true) follow(tx, change);
    }) satisfies Recorder,

    /** A ticket comes out where its station has no printer, as it is now. */
    printElsewhere(tx: Tx, ticket: KitchenTicket, printer: Printer): void {
      const job = wholeJob(tx, ticket);
      if (job === null) return;
      spool.add(tx, { ...job, printerId: printer.id, blocks: marked(job.blocks, `PARA ${stationLabel(ticket)}`) });
    },

    /** It does not come out at all, and whoever sent it is told. */
    tellUnprinted(tx: Tx, ticket: KitchenTicket): void {
      const job = wholeJob(tx, ticket);
      if (job !== null) spool.addUnprintable(tx, job);
    },
  };
}

function stationLabel({ stationName }: KitchenTicket): string {
  return (stationName ?? "Cocina").toUpperCase();
}
