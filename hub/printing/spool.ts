import type { Block, PrintDocument, Printer, PrintJobNews } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { explainedError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { createJobChanges } from "./job-changes.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import type { Printers } from "./printers.ts";
import { createReprints } from "./reprints.ts";

/** The printer of what the house has none for. */
const NO_PRINTER = "";

/** What is to be printed, whole: nothing of it is looked up later. */
export interface NewPrintJob {
  /** What it is printed for, for example `ticket:<id>`; with its printer its key: the same again makes no second job. */
  cause: string;
  document: PrintDocument;
  printerId: string;
  blocks: readonly Block[];
  posReference?: string;
  stationId?: string;
  /** The terminal that caused it, which is told what becomes of it. */
  terminalId?: string;
  /** Opens the drawer of this printer, unless the pulse is older than 10 s by then. */
  opensDrawer?: true;
  /** It waits until `complete` brings its blocks, at most until this time (ms since 1970). */
  heldUntil?: number;
}

/** Where jobs wait until they are printed; all within the transaction that causes them. */
export type Spool = ReturnType<typeof createSpool>;

export function createSpool({ world, jobs, printers }: { world: World; jobs: JobStore; printers: Printers }) {
  const jobChanges = createJobChanges(jobs, printers);
  const { newsOf, change, find } = jobChanges;

  /** Null: this cause was given to this printer before. */
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
    const news = {
      id: jobId,
      state: "waiting",
      document,
      printer: printers.get(printerId)?.name ?? "",
    } as const;
    tx.emit({ kind: "print.changed", job: news, printerId, terminalId: null, isNews: false });
    return { id: jobId };
  }

  function setHeld(tx: Tx, cause: string, blocks: readonly Block[], to: JobChange): void {
    for (const job of jobs.ofCause(cause)) {
      if (job.state !== "held") continue;
      jobs.setBlocks(job, blocks);
      change(tx, job, to);
    }
  }

  return {
    newsOf,
    change,
    /** What a terminal is told of: its jobs that failed or may have come out, until a person decides. */
    openOf: (terminalId: string): PrintJobNews[] => jobs.open(terminalId).map(newsOf),

    /** All that comes out: what the job says, behind a line for what is special about this print. Null: it cannot be read. */
    blocksOf(job: JobRow): Block[] | null {
      const blocks = jobs.blocks(job);
      return blocks && [...marksOf(job, printers.get(job.printerId)), ...blocks];
    },

    add,

    /** The final blocks of held jobs, which then wait to be printed; does nothing where none of this cause is held. */
    complete: (tx: Tx, cause: string, blocks: readonly Block[]): void =>
      setHeld(tx, cause, blocks, { state: "waiting", heldUntil: null }),

    /** What held jobs of a cause will say, and when their time is over. */
    rewrite: (tx: Tx, cause: string, blocks: readonly Block[], heldUntil: number): void =>
      setHeld(tx, cause, blocks, { heldUntil }),

    /** Shows what the house has no printer for as not printed; again finds one when there is one. */
    addUnprintable(tx: Tx, job: Omit<NewPrintJob, "printerId">): void {
      const added = add(tx, { ...job, printerId: NO_PRINTER });
      if (added !== null) change(tx, find(added.id, undefined), { state: "failed", isOpen: 1, error: "no_printer" });
    },

    /** What another hub may have printed, before a restore; a person is asked where that has not been settled since. */
    addUnconfirmed(tx: Tx, job: NewPrintJob, { isSettled }: { isSettled: boolean }): void {
      const added = add(tx, job);
      if (added === null) return;
      const isOpen = isSettled ? 0 : 1;
      change(tx, find(added.id, undefined), { state: "unknown", hasBegun: 1, isOpen, error: "restored" });
    },

    ...createReprints({ world, jobs, printers, jobChanges }),

    /** A person gives a job up, or has seen what became of it. */
    dismiss(tx: Tx, jobId: string, terminalId?: string): JobRow {
      const job = find(jobId, terminalId);
      if (job.state === "printing") throw explainedError("PRINTING", "print_job_under_way");
      if (job.state === "printed" || job.state === "dropped") return job;
      return change(tx, job, { state: "dropped", isOpen: 0, heldUntil: null });
    },

    /** Fails what waits for a printer that goes away. */
    removePrinter(tx: Tx, printerId: string): void {
      for (const job of jobs.unfinished()) {
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
