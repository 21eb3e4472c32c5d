import type { Block, PrintDocument, Printer, PrintJobNews } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { explainedError, HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import { shownState } from "./present-job.ts";
import type { Printers } from "./printers.ts";

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

export interface PrintedAgain {
  by?: string;
  elsewhere?: string;
  /** A copy may follow what is coming out now. */
  isBehind?: true;
}

/** The printer of what the house has none for. */
const NO_PRINTER = "";

/** Where jobs wait until they are printed; all within the transaction that causes them. */
export type Spool = ReturnType<typeof createSpool>;

export function createSpool({ world, jobs, printers }: { world: World; jobs: JobStore; printers: Printers }) {
  function emit(tx: Tx, job: JobRow, isNews: boolean): void {
    const { sentTo: printerId, terminalId } = job;
    tx.emit({ kind: "print.changed", job: newsOf(job), printerId, terminalId, isNews });
  }

  function newsOf({ jobId, state, document, posReference, sentTo, error, isOpen }: JobRow): PrintJobNews {
    const isSettled = isOpen === 0 && (state === "unknown" || state === "failed" || state === "dropped");
    return {
      id: jobId,
      state: shownState(state),
      document,
      ...(posReference !== null && { posReference }),
      printer: printers.get(sentTo)?.name ?? sentTo,
      ...(error !== null && { error }),
      ...(isSettled && { settled: true }),
    };
  }

  /** Stores a change of a job and says so. */
  function change(tx: Tx, job: JobRow, changes: JobChange): JobRow {
    const changed = jobs.update(job, changes);
    const isEnd = changed.state !== job.state && (changed.state === "printed" || changed.state === "dropped");
    const isTrouble = changed.error !== null && changed.error !== job.error;
    emit(tx, changed, isEnd || isTrouble || changed.isOpen !== job.isOpen);
    return changed;
  }

  function find(jobId: string, terminalId: string | undefined): JobRow {
    const job = jobs.get(jobId);
    // Of another terminal it is as if there were none.
    if (job !== null && (terminalId === undefined || job.terminalId === terminalId)) return job;
    throw new HubError("NOT_FOUND", `there is no print job ${jobId}`);
  }

  function printerFor({ stationId }: JobRow): Printer | null {
    const [own] = stationId === null ? [] : printers.stationPrinters(stationId);
    return own ?? printers.housePrinter();
  }

  function requireFinished(job: JobRow): void {
    if (isUnfinished(job)) throw explainedError("PRINTING", "print_job_under_way");
  }

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
      printer: printers.get(printerId)?.name ?? printerId,
    } as const;
    tx.emit({ kind: "print.changed", job: news, printerId, terminalId: null, isNews: false });
    return { id: jobId };
  }

  return {
    newsOf,
    change,
    /** What a terminal is told of: its jobs that failed or may have come out, until a person decides. */
    openOf: (terminalId: string): PrintJobNews[] => jobs.open(terminalId).map(newsOf),

    /** All that comes out: what the job says, behind a line for what is special about this print. Null: it cannot be read. */
    blocksOf(job: JobRow): Block[] | null {
      const blocks = jobs.blocks(job);
      return blocks && [...marksOf(job, printers.get(job.printerId)?.name ?? job.printerId), ...blocks];
    },

    add,

    /** The final blocks of held jobs, which then wait to be printed; does nothing where none of this cause is held. */
    complete(tx: Tx, cause: string, blocks: readonly Block[]): void {
      for (const job of jobs.ofCause(cause)) {
        if (job.state !== "held") continue;
        jobs.setBlocks(job, blocks);
        change(tx, job, { state: "waiting", heldUntil: null });
      }
    },

    /** What held jobs of a cause will say, and when their time is over. */
    rewrite(tx: Tx, cause: string, blocks: readonly Block[], heldUntil: number): void {
      for (const job of jobs.ofCause(cause)) {
        if (job.state !== "held") continue;
        jobs.setBlocks(job, blocks);
        change(tx, job, { heldUntil });
      }
    },

    /** Shows what the house has no printer for as not printed; again finds one when there is one. */
    addUnprintable(tx: Tx, job: Omit<NewPrintJob, "printerId">): void {
      const added = add(tx, { ...job, printerId: NO_PRINTER });
      if (added !== null) change(tx, find(added.id, undefined), { state: "failed", isOpen: 1, error: "no_printer" });
    },

    /**
     * Prints a finished job again: as the original where nothing of its cause has left for this printer yet, else as a
     * copy that says so. With `terminalId` only one that this terminal has caused. `by` is who is told of the new job; on
     * `elsewhere`, another printer, what came out on this one counts, too.
     */
    again(tx: Tx, jobId: string, terminalId?: string, { by, elsewhere, isBehind }: PrintedAgain = {}): JobRow {
      const job = find(jobId, terminalId);
      const isComingOut = ({ state }: JobRow): boolean => isBehind === true && state === "printing";
      if (!isComingOut(job)) requireFinished(job);
      const printerId =
        elsewhere ?? (job.printerId === NO_PRINTER ? (printerFor(job)?.id ?? NO_PRINTER) : job.printerId);
      if (printers.get(printerId) === null) throw explainedError("NOT_FOUND", "printer_removed");
      const family = jobs
        .ofCause(job.cause)
        .filter((each) => elsewhere !== undefined || each.printerId === job.printerId);
      const printed = family.filter((each) => each.hasBegun === 1 || isComingOut(each));
      // Two originals that both wait would both be printed unmarked.
      if (printed.length === 0) family.forEach(requireFinished);
      const blocks = jobs.blocks(job);
      if (blocks === null || blocks.length === 0) throw explainedError("VALIDATION_ERROR", "print_job_empty");
      const numbered = family.filter((each) => each.hasBegun === 1 || isUnfinished(each));
      const copy = printed.length === 0 ? 0 : Math.max(...numbered.map((each) => each.copy)) + 1;
      const copyId = world.random.uuid();
      jobs.add({
        ...job,
        printerId,
        jobId: copyId,
        blocks: JSON.stringify(blocks),
        terminalId: by ?? terminalId ?? job.terminalId,
        heldUntil: null,
        pulse: null,
        copy,
        copyOf: jobId,
        createdAt: tx.now,
      });
      if (job.isOpen === 1) change(tx, job, { isOpen: 0 });
      const added = find(copyId, undefined);
      emit(tx, added, false);
      return added;
    },

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

function isUnfinished({ state }: JobRow): boolean {
  return state === "held" || state === "waiting" || state === "printing";
}

function marksOf({ copy, printerId, sentTo }: JobRow, printer: string): Block[] {
  const mark = (text: string): Block => ({ kind: "text", text, align: "center", size: "tall", bold: true });
  return [
    ...(sentTo === printerId ? [] : [mark(`DE ${printer}: SU IMPRESORA NO RESPONDE`)]),
    ...(copy === 0 ? [] : [mark(`COPIA ${copy}`)]),
  ];
}
