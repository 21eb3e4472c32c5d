import type { PrintError, Printer, PrinterState } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { logEvent } from "../platform/log-event.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import { encode } from "./encode.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import { canPrint, type Line, PrintFailure } from "./line.ts";
import type { Printers } from "./printers.ts";
import type { Spool } from "./spool.ts";
import { openLine } from "./transport.ts";

/** After this a drawer would open when nobody stands there any more. */
export const PULSE_MS = 10_000;
/** Waits between two attempts while something waits: doubling from the first to the last. */
const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 3_000;
/** How long a stop waits for a document to come out. */
const STOP_WAIT_MS = 2_000;

export interface LaneDeps {
  world: World;
  changes: ChangeLog;
  jobs: JobStore;
  printers: Printers;
  spool: Spool;
  /** What a job has become by its age at `now` (ms since 1970), and is not stored yet. */
  dueChangeOf(job: JobRow, now: number): JobChange | null;
  pollMs: number;
  /** A printer has begun or ceased to print, as far as is known. */
  onState: () => void;
}

export type PrinterLane = ReturnType<typeof createPrinterLane>;

/** Prints what waits for one printer, one job at a time in the order of their causes, and looks at it now and then. */
export function createPrinterLane(deps: LaneDeps, printerId: string) {
  const { world, changes, jobs, printers, spool } = deps;
  const { clock, timers } = world;
  let state: PrinterState | null = null;
  let since = clock.now();
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWanted = false;
  let isLookWanted = true;
  let hasStopped = false;
  let line: Line | null = null;

  function wake(): void {
    if (hasStopped) return;
    // What is being retried waits its time out.
    if (attempts > 0 && running === null && !isLookWanted) return;
    if (running !== null) isWanted = true;
    else running = run();
  }

  async function run(): Promise<void> {
    timers.clearTimeout(timer);
    let waitMs = deps.pollMs;
    do {
      isWanted = false;
      try {
        waitMs = await work();
      } catch (error) {
        // For example a full disk: nothing was sent.
        world.log.error({ err: error, printer: printerId }, "the jobs of a printer could not be read or written");
        waitMs = LAST_RETRY_MS;
      }
    } while (isWanted && attempts === 0 && !hasStopped);
    running = null;
    if (!hasStopped) timer = timers.setTimeout(look, waitMs);
  }

  function look(): void {
    isLookWanted = true;
    wake();
  }

  /** Prints as long as it can, and answers when to come again. */
  async function work(): Promise<number> {
    for (;;) {
      const printer = printers.get(printerId);
      if (printer === null || hasStopped) return deps.pollMs;
      const job = jobs.next(printerId);
      if (job === null && !isLookWanted) return deps.pollMs;
      isLookWanted = false;
      const isReady = await open(printer);
      try {
        if (job === null) {
          attempts = 0;
          return deps.pollMs;
        }
        if (!isReady || line === null || !(await printOn(line, printer, job))) return await noteTrouble();
        attempts = 0;
      } finally {
        line?.close();
        line = null;
      }
    }
  }

  /** Whether it prints now. */
  async function open(printer: Printer): Promise<boolean> {
    try {
      line = await openLine(world, printer.address);
      noteState(line.state);
      return canPrint(line.state);
    } catch (error) {
      world.log.debug({ err: error, printer: printerId }, "a printer could not be reached");
      noteState("unreachable");
      return false;
    }
  }

  /** False: it did not come out, or may not have: the next one waits a moment. */
  async function printOn(open: Line, printer: Printer, { jobId }: JobRow): Promise<boolean> {
    const begun = await begin(printer, jobId);
    if (begun === null) return true;
    let { job } = begun;
    try {
      noteState(await open.print(begun.document));
      job = { ...job, state: "printed", printedAt: clock.now() };
    } catch (error) {
      const { error: why, hasBegun } =
        error instanceof PrintFailure ? error : new PrintFailure("line_broken", true, error);
      world.log.warn(
        logEvent("print_failed", { printer: printer.name, error: why }),
        "a document may not have come out",
      );
      if (why === "paper_out" || why === "cover_open") noteState(why);
      if (!hasBegun) noteState("unreachable");
      job = { ...job, ...(hasBegun ? { state: "unknown", isOpen: 1 } : { state: "waiting", hasBegun: 0 }), error: why };
      if (!hasBegun && job.pulse === "sent") job.pulse = "wanted";
    }
    await save(job);
    return job.state === "printed";
  }

  /** Marks a job before its first byte leaves: what a kill leaves behind is not printed again by itself. Null: it is no more to be printed. */
  function begin(printer: Printer, jobId: string): Promise<{ job: JobRow; document: Uint8Array } | null> {
    return changes.write((tx) => {
      const job = jobs.get(jobId);
      if (job?.state !== "waiting" || job.sentTo !== printerId) return null;
      const due = deps.dueChangeOf(job, tx.now);
      if (due?.state === "failed") {
        spool.change(tx, job, due);
        return null;
      }
      const blocks = spool.blocksOf(job);
      const isLate = tx.now - job.createdAt > PULSE_MS || job.sentTo !== job.printerId;
      const opensDrawer = job.pulse === "wanted" && !isLate;
      const pulse = job.pulse === "wanted" ? (isLate ? "late" : "sent") : job.pulse;
      const document = blocks === null ? null : documentOf(printer, blocks, opensDrawer);
      if (document === null) {
        spool.change(tx, job, { state: "failed", isOpen: 1, error: "unreadable" });
        return null;
      }
      return { job: spool.change(tx, job, { state: "printing", hasBegun: 1, error: null, pulse }), document };
    });
  }

  function documentOf(printer: Printer, blocks: Parameters<typeof encode>[0], opensDrawer: boolean): Uint8Array | null {
    try {
      return encode(blocks, printer, opensDrawer);
    } catch (error) {
      world.log.error({ err: error, printer: printer.name }, "a document could not be encoded");
      return null;
    }
  }

  /** Stores what became of a job, however long the disk is full: it must not be printed once more. */
  async function save({ state, printedAt, hasBegun, isOpen, error, pulse, jobId }: JobRow): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        await changes.write((tx) => {
          const job = jobs.get(jobId);
          if (job !== null) spool.change(tx, job, { state, printedAt, hasBegun, isOpen, error, pulse });
        });
        return;
      } catch (failure) {
        world.log.error({ err: failure }, "what became of a print job could not be stored");
        // The next start finds it under way, and shows it as unknown.
        if (hasStopped) return;
        await new Promise<void>((resolve) => void timers.setTimeout(resolve, waitMs));
      }
    }
  }

  /** Answers when to try again; from the second attempt on those who wait are told why. */
  async function noteTrouble(): Promise<number> {
    attempts += 1;
    const why = troubleOf(state);
    const waiting = jobs.unfinished().filter((job) => job.sentTo === printerId && job.state === "waiting");
    if (attempts > 1 && waiting.some(({ error }) => error !== why)) {
      await changes.write((tx) => {
        for (const job of waiting) if (job.error !== why) spool.change(tx, job, { error: why });
      });
    }
    deps.onState();
    return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
  }

  function noteState(now: PrinterState): void {
    if (now === state) return;
    const before = state;
    state = now;
    since = clock.now();
    notifyScreens(changes, world, { topics: ["printing"] });
    if (before !== null)
      world.log.info(logEvent("printer_state", { printer: printerId, state: now }), "a printer changed");
    deps.onState();
  }

  return {
    wake,
    /** It was changed, or is asked after: it is tried at once. */
    look,
    /** Null before it was first looked at. */
    state: (): PrinterState | null => state,
    since: (): number => since,
    /** The last attempt to print found it unable to. */
    isInTrouble: (): boolean => attempts > 0,
    /** Lets the job under way come out, a moment at most. */
    async stop(): Promise<void> {
      hasStopped = true;
      timers.clearTimeout(timer);
      if (running !== null && !(await withTimeout(world, STOP_WAIT_MS, running))) line?.close();
      await running;
    },
  };
}

function troubleOf(state: PrinterState | null): PrintError {
  return state === "paper_out" || state === "cover_open" ? state : "unreachable";
}
