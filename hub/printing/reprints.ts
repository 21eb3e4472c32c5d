import type { Printer } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { explainedError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { JobChanges } from "./job-changes.ts";
import type { JobRow, JobStore } from "./job-store.ts";
import type { Printers } from "./printers.ts";

export interface PrintedAgain {
  by?: string;
  elsewhere?: string;
  /** Allows a copy while the job is being printed. */
  isBehind?: true;
}

/** Reprints finished jobs, as the original or marked as a copy. */
export function createReprints({
  world,
  jobs,
  printers,
  jobChanges,
}: {
  world: World;
  jobs: JobStore;
  printers: Printers;
  jobChanges: JobChanges;
}) {
  const { emit, change, find } = jobChanges;

  /** Returns the job's own printer if it still prints such documents or, if none does, exists; else the one that prints them now. */
  function printerFor({ printerId, stationId, terminalId }: JobRow): Printer | null {
    const own = printers.get(printerId);
    if (stationId === null) return own ?? printers.receiptPrinter(terminalId ?? "");
    const ofStation = printers.stationPrinters(stationId);
    return ofStation.find(({ id }) => id === printerId) ?? ofStation[0] ?? own ?? printers.defaultPrinter();
  }

  return {
    printerFor,
    /**
     * Reprints a finished job, optionally on another printer (`elsewhere`). It is the original if nothing of its cause was sent
     * yet (for a station slip: to its printers), else marked as a copy. With `terminalId`, only a job of that terminal is
     * found. `by` is the terminal notified of the new job.
     */
    again(tx: Tx, jobId: string, terminalId?: string, { by, elsewhere, isBehind }: PrintedAgain = {}): JobRow {
      const job = find(jobId, terminalId);
      const isComingOut = ({ state }: JobRow): boolean => isBehind === true && state === "printing";
      if (!isComingOut(job)) requireFinished(job);
      const printerId = elsewhere ?? printerFor(job)?.id;
      if (printerId === undefined) throw explainedError("NOT_FOUND", "printer_removed");
      const family = jobs
        .listByCause(job.cause)
        .filter((each) => job.document !== "station" || [job.printerId, printerId].includes(each.printerId));
      const printed = family.filter((each) => each.hasBegun === 1 || isComingOut(each));
      // Two waiting originals would both be printed unmarked.
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
  };
}

function requireFinished(job: JobRow): void {
  if (isUnfinished(job)) throw explainedError("PRINTING", "print_job_under_way");
}

function isUnfinished({ state }: JobRow): boolean {
  return state === "held" || state === "waiting" || state === "printing";
}
