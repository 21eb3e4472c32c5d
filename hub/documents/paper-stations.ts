import { putOnPaper } from "@comanda/rules";
import type { Recorder, Tx } from "../changes/change.ts";
import type { Rulebook } from "../orders/rulebook/rulebook.ts";
import type { OrderWriter } from "../orders/store/order-writer.ts";
import { hubWriter } from "../orders/store/save-version.ts";
import type { JobRow, JobStore } from "../printing/job-store.ts";
import type { Printers } from "../printing/printers.ts";
import { ticketOfCause } from "./station-slips.ts";

export interface PaperStationDeps {
  printers: Pick<Printers, "isPaperOnly">;
  jobs: Pick<JobStore, "get" | "listByCause">;
  rulebook: Pick<Rulebook, "state">;
  orderWriter: Pick<OrderWriter, "store">;
}

export type PaperStations = ReturnType<typeof createPaperStations>;

/** Settles the tickets of paper-only stations once their slips were printed. */
export function createPaperStations({ printers, jobs, rulebook, orderWriter }: PaperStationDeps) {
  function settle(tx: Tx, ticketId: string): void {
    orderWriter.store(tx, hubWriter, putOnPaper(rulebook.state(tx), ticketId, { now: tx.now }));
  }

  return {
    settle,
    /** Whether a slip of the ticket was printed, or a person dismissed all of them. */
    isSettled: (cause: string): boolean => isOut(jobs.listByCause(cause)),

    record: ((change, tx) => {
      if (change.kind !== "print.changed" || change.job.document !== "station") return;
      if (change.job.state !== "printed" && change.job.state !== "dropped") return;
      const job = jobs.get(change.job.id);
      if (job?.stationId == null || !printers.isPaperOnly(job.stationId)) return;
      const ticketId = ticketOfCause(job.cause);
      if (ticketId !== null && isOut(jobs.listByCause(job.cause))) settle(tx, ticketId);
    }) satisfies Recorder,
  };
}

function isOut(slips: readonly JobRow[]): boolean {
  if (slips.some(({ state }) => state === "printed")) return true;
  return slips.length > 0 && slips.every(({ state }) => state === "dropped");
}
