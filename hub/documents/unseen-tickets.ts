import type { KitchenTicket } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Tx } from "../changes/change.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import { createAges } from "../time/ages.ts";
import type { PaperStations } from "./paper-stations.ts";
import { stationOf, type StationSlips, ticketCause } from "./station-slips.ts";

interface UnseenDeps {
  world: World;
  changes: ChangeLog;
  tickets: Pick<TicketStore, "listOpen" | "get">;
  printers: Pick<Printers, "list" | "stationPrinters" | "defaultPrinter" | "isPaperOnly">;
  jobs: Pick<JobStore, "listByCause">;
  slips: Pick<StationSlips, "printElsewhere" | "reportUnprinted">;
  paper: Pick<PaperStations, "settle" | "isSettled">;
  unseenMs: number;
}

const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 5_000;

/** Prints tickets that no person has seen at a station without a printer. */
export function createUnseenTickets(deps: UnseenDeps) {
  const { world, tickets, printers, jobs, slips, paper, unseenMs } = deps;
  const ages = createAges(world.clock);
  const everyMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, unseenMs / 4));

  return createLoop(world, "tickets that nobody has seen", everyMs, async () => {
    const open = tickets.listOpen();
    ages.keepOnly(open.map(({ id }) => id));
    if (printers.list().length === 0) return;
    for (const ticket of open) {
      const isDue = isUnseen(ticket) || printers.isPaperOnly(stationOf(ticket));
      if (!isDue) continue;
      // A slip that fails must not block the others.
      await writeOrLog(deps, "a ticket that nobody has seen could not be printed", (tx) => follow(tx, ticket.id));
    }
  });

  function follow(tx: Tx, ticketId: string): void {
    const ticket = tickets.get(ticketId)?.ticket;
    if (ticket === undefined || ticket.isOver) return;
    const cause = ticketCause(ticket);
    // The station became paper-only after the slip was printed.
    if (printers.isPaperOnly(stationOf(ticket)) && paper.isSettled(cause)) return paper.settle(tx, ticketId);
    if (!isUnseen(ticket) || jobs.listByCause(cause).length > 0) return;
    const own = printers.stationPrinters(stationOf(ticket));
    const to = own.length > 0 ? own : [printers.defaultPrinter()].filter((printer) => printer !== null);
    for (const printer of to) slips.printElsewhere(tx, ticket, printer);
    if (to.length === 0) slips.reportUnprinted(tx, ticket);
  }

  /** Whether no display has shown the ticket for `unseenMs`, and a dish is still unseen. */
  function isUnseen({ id, seen, lines, sentAt }: KitchenTicket): boolean {
    const isOld = ages.now()(id, Date.parse(sentAt)) > unseenMs;
    return isOld && seen.length === 0 && lines.some(({ state }) => state === "unseen");
  }
}
