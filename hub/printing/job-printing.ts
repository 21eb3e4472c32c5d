import type { Printer, PrinterState } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import { logEvent } from "../platform/log-event.ts";
import type { World } from "../platform/world.ts";
import { encode } from "./encode.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import { type Line, PrintFailure } from "./line.ts";
import type { Spool } from "./spool.ts";

/** A drawer that opens later than this may find nobody in front of it. */
export const PULSE_MS = 10_000;
/** Delays between two attempts while jobs wait: doubling from the first to the last. */
export const FIRST_RETRY_MS = 300;
export const LAST_RETRY_MS = 3_000;

/** A document encoded for its printer, and the new state of its pulse. */
interface Prepared {
  bytes: Uint8Array | null;
  pulse: JobRow["pulse"];
}

export interface PrintingDeps {
  world: World;
  changes: ChangeLog;
  jobs: JobStore;
  spool: Spool;
  /** Age in ms, independent of changes to the wall clock. */
  ageOf(job: JobRow): number;
  /** Change due to the job's age and not yet stored. */
  dueChangeOf(job: JobRow): JobChange | null;
}

/** Prints one printer's jobs on an open line. Marks each job before its first byte is sent and stores the result. */
export function createJobPrinting(
  deps: PrintingDeps & { printerId: string; hasStopped: () => boolean; noteState: (state: PrinterState) => void },
) {
  const { world, changes, jobs, spool, printerId, hasStopped, noteState } = deps;
  const { clock, timers } = world;

  return { print };

  /** Prints a job. False: not printed, or maybe not, so the next job waits a moment. Null: nothing was sent. */
  async function print(open: Line, printer: Printer, waiting: JobRow): Promise<boolean | null> {
    // Outside the write, which would delay others.
    const prepared = prepare(printer, waiting);
    const started = await begin(waiting, prepared);
    if (started === null || prepared.bytes === null) return null;
    let job = started;
    try {
      noteState(await open.print(prepared.bytes));
      job = { ...job, state: "printed", printedAt: clock.now() };
    } catch (error) {
      const { error: failure, hasBegun } =
        error instanceof PrintFailure ? error : new PrintFailure("line_broken", true, error);
      world.log.warn(
        logEvent("print_failed", { printer: printer.name, error: failure }),
        "a document may not have come out",
      );
      if (failure === "paper_out" || failure === "cover_open") noteState(failure);
      if (!hasBegun) noteState("unreachable");
      job = {
        ...job,
        ...(hasBegun ? { state: "unknown", isOpen: 1 } : { state: "waiting", hasBegun: 0 }),
        error: failure,
      };
      if (!hasBegun && job.pulse === "sent") job.pulse = "wanted";
    }
    await save(job);
    return job.state === "printed";
  }

  /** Encodes a job's document; `bytes` is null if it cannot be read. */
  function prepare(printer: Printer, job: JobRow): Prepared {
    const isLate = deps.ageOf(job) > PULSE_MS || job.sentTo !== job.printerId;
    const opensDrawer = job.pulse === "wanted" && !isLate;
    const pulse = job.pulse === "wanted" ? (isLate ? "late" : "sent") : job.pulse;
    try {
      const blocks = spool.blocksOf(job);
      return { bytes: blocks && encode(blocks, printer, opensDrawer), pulse };
    } catch (error) {
      world.log.error({ err: error, printer: printer.name }, "a document could not be encoded");
      return { bytes: null, pulse };
    }
  }

  /** Marks a job before its first byte is sent, so that it is not reprinted after a crash. Null: not to be printed now. */
  function begin({ jobId, pulse: requested }: JobRow, { bytes, pulse }: Prepared): Promise<JobRow | null> {
    return changes.write((tx) => {
      const job = jobs.get(jobId);
      if (job?.state !== "waiting" || job.sentTo !== printerId || job.pulse !== requested) return null;
      const due = deps.dueChangeOf(job);
      if (due?.state === "failed") {
        spool.change(tx, job, due);
        return null;
      }
      if (bytes === null) {
        spool.change(tx, job, { state: "failed", isOpen: 1, error: "unreadable" });
        return null;
      }
      return spool.change(tx, job, { state: "printing", hasBegun: 1, error: null, pulse });
    });
  }

  /** Stores a job's result. Retries while the disk is full: the job must not be printed again. */
  async function save({ state, printedAt, hasBegun, isOpen, error, pulse, jobId }: JobRow): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      const isSaved = await writeOrLog(deps, "what became of a print job could not be stored", (tx) => {
        const job = jobs.get(jobId);
        if (job !== null) spool.change(tx, job, { state, printedAt, hasBegun, isOpen, error, pulse });
      });
      // The next start finds a job in state `printing` and shows it as unknown.
      if (isSaved || hasStopped()) return;
      await new Promise<void>((resolve) => void timers.setTimeout(resolve, waitMs));
    }
  }
}
