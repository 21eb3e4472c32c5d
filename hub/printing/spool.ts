import type { Block, PrintDocument, Printer, PrintJobNews } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { explainedError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { createJobChanges } from "./job-changes.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import type { Printers } from "./printers.ts";
import { createReprints } from "./reprints.ts";

/** Printer id of jobs for which no printer is set up. */
const NO_PRINTER = "";

/** The complete content of a job: nothing is looked up later. */
export interface NewPrintJob {
  /** The cause, for example `ticket:<id>`. Cause and printer are the key: adding the same again has no effect. */
  cause: string;
  document: PrintDocument;
  printerId: string;
  blocks: readonly Block[];
  posReference?: string;
  stationId?: string;
  /** The terminal that caused the job and is notified of its state. */
  terminalId?: string;
  /** Opens this printer's drawer, unless the job is printed more than 10 s later or on another printer. */
  opensDrawer?: true;
  /** Held until `complete` sets its blocks, at most until this time (ms since 1970). */
  heldUntil?: number;
}

/** The queue of print jobs. All methods run within the transaction that causes the job. */
export type Spool = ReturnType<typeof createSpool>;

export function createSpool({ world, jobs, printers }: { world: World; jobs: JobStore; printers: Printers }) {
  const jobChanges = createJobChanges(jobs, printers);
  const { presentChange, change, find } = jobChanges;

  /** Adds a job. Returns null if this cause already has a job for this printer. */
  function add(tx: Tx, job: NewPrintJob): { id: string } | null {
    const jobId = world.random.uuid();
    const isNew = jobs.add({
      jobId,
      cause: job.cause,
      printerId: job.printerId,
      document: job.document,
      blocks: JSON.stringify(job.blocks),
      posReference: job.posReference ?? null,
      stationId: job.stationId ?? null,
      terminalId: job.terminalId ?? null,
      heldUntil: job.heldUntil ?? null,
      pulse: job.opensDrawer === true ? "wanted" : null,
      copy: 0,
      copyOf: null,
      createdAt: tx.now,
    });
    if (!isNew) return null;
    const { document, printerId } = job;
    const printChange = {
      id: jobId,
      state: "waiting",
      document,
      printer: printers.get(printerId)?.name ?? "",
    } as const;
    tx.emit({ kind: "print.changed", job: printChange, printerId, terminalId: null, notifies: false });
    return { id: jobId };
  }

  function changeHeld(tx: Tx, cause: string, blocks: readonly Block[], to: JobChange): void {
    for (const job of jobs.listByCause(cause)) {
      if (job.state !== "held") continue;
      jobs.setBlocks(job, blocks);
      change(tx, job, to);
    }
  }

  return {
    presentChange,
    change,
    /** Returns a terminal's jobs that failed or may have been printed, until a person decides. */
    listOpenByTerminal: (terminalId: string): PrintJobNews[] => jobs.listOpenByTerminal(terminalId).map(presentChange),

    /** Returns what is printed: the job's blocks after lines for what is special about this print; null if unreadable. */
    blocksOf(job: JobRow): Block[] | null {
      const blocks = jobs.blocks(job);
      return blocks && [...marksOf(job, printers.get(job.printerId)), ...blocks];
    },

    add,

    /** Sets the final blocks of a cause's held jobs and releases them. Does nothing if none is held. */
    complete: (tx: Tx, cause: string, blocks: readonly Block[]): void =>
      changeHeld(tx, cause, blocks, { state: "waiting", heldUntil: null }),

    /** Replaces the blocks and the deadline of a cause's held jobs. */
    rewrite: (tx: Tx, cause: string, blocks: readonly Block[], heldUntil: number): void =>
      changeHeld(tx, cause, blocks, { heldUntil }),

    /** Adds a job without a printer as failed. A reprint finds a printer once there is one. */
    addUnprintable(tx: Tx, job: Omit<NewPrintJob, "printerId">): void {
      const added = add(tx, { ...job, printerId: NO_PRINTER });
      if (added !== null) change(tx, find(added.id, undefined), { state: "failed", isOpen: 1, error: "no_printer" });
    },

    /** Adds a job that another hub may have printed before a restore. Unless `isSettled`, it needs a person's decision. */
    addUnconfirmed(tx: Tx, job: NewPrintJob, { isSettled }: { isSettled: boolean }): void {
      const added = add(tx, job);
      if (added === null) return;
      const isOpen = isSettled ? 0 : 1;
      change(tx, find(added.id, undefined), { state: "unknown", hasBegun: 1, isOpen, error: "restored" });
    },

    ...createReprints({ world, jobs, printers, jobChanges }),

    /** Drops a job that a person gives up, or whose outcome a person has seen. */
    dismiss(tx: Tx, jobId: string, terminalId?: string): JobRow {
      const job = find(jobId, terminalId);
      if (job.state === "printing") throw explainedError("PRINTING", "print_job_under_way");
      if (job.state === "printed" || job.state === "dropped") return job;
      return change(tx, job, { state: "dropped", isOpen: 0, heldUntil: null });
    },

    /** Fails the jobs waiting for a printer that is removed. */
    removePrinter(tx: Tx, printerId: string): void {
      for (const job of jobs.listUnfinished()) {
        if (job.sentTo !== printerId || job.state === "printing") continue;
        change(tx, job, { state: "failed", isOpen: 1, error: "printer_removed" });
      }
    },
  };
}

function marksOf({ copy, printerId, sentTo }: JobRow, printer: Printer | null): Block[] {
  const mark = (text: string): Block => ({ kind: "text", text, align: "center", size: "tall", bold: true });
  return [
    ...(sentTo === printerId
      ? []
      : [mark(`${printer === null ? "" : `DE ${printer.name}: `}SU IMPRESORA NO RESPONDE`)]),
    ...(copy === 0 ? [] : [mark(`COPIA ${copy}`)]),
  ];
}
