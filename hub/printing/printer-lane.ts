import type { PrintError, Printer, PrinterState } from "@comanda/protocol";
import { notifyScreens } from "../changes/notify-screens.ts";
import { logEvent } from "../platform/log-event.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { canPrint, type Line } from "./line.ts";
import { createJobPrinting, FIRST_RETRY_MS, LAST_RETRY_MS, type PrintingDeps } from "./job-printing.ts";
import type { Printers } from "./printers.ts";
import { openLine } from "./transport.ts";

/** How long a stop waits for the current document. */
const STOP_WAIT_MS = 2_000;

export interface LaneDeps extends PrintingDeps {
  printers: Printers;
  pollMs: number;
  /** Called when the printer becomes able or unable to print, as far as is known. */
  onState: () => void;
}

export type PrinterLane = ReturnType<typeof createPrinterLane>;

/** Prints one printer's jobs, one at a time in the order of their causes, and polls its state. */
export function createPrinterLane(deps: LaneDeps, printerId: string) {
  const { world, changes, jobs, printers, spool } = deps;
  const { timers } = world;
  const lastState = createLastState(deps, printerId);
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isRequested = false;
  let isCheckDue = true;
  let hasStopped = false;
  let line: Line | null = null;
  const silence = createSilence();
  const printing = createJobPrinting({ ...deps, printerId, hasStopped: () => hasStopped, noteState: lastState.note });

  function wake(): void {
    if (hasStopped) return;
    // A retry waits for its delay.
    if (attempts > 0 && running === null && !isCheckDue) return;
    if (running !== null) isRequested = true;
    else running = run();
  }

  async function run(): Promise<void> {
    timers.clearTimeout(timer);
    let waitMs = deps.pollMs;
    do {
      isRequested = false;
      try {
        waitMs = await work();
      } catch (error) {
        // For example a full disk: nothing was sent.
        world.log.error({ err: error, printer: printerId }, "the jobs of a printer could not be read or written");
        waitMs = LAST_RETRY_MS;
      }
    } while (isRequested && attempts === 0 && !hasStopped);
    running = null;
    if (!hasStopped) timer = timers.setTimeout(check, waitMs);
  }

  function check(): void {
    isCheckDue = true;
    wake();
  }

  /** Prints until it cannot continue. Returns the delay before the next run in ms. */
  async function work(): Promise<number> {
    for (;;) {
      const printer = printers.get(printerId);
      if (printer === null || hasStopped) return deps.pollMs;
      const job = jobs.next(printerId);
      if (job === null && !isCheckDue) return deps.pollMs;
      isCheckDue = false;
      const isReady = await open(printer);
      try {
        if (job === null) {
          attempts = 0;
          return deps.pollMs;
        }
        if (!isReady || line === null) return await noteTrouble();
        const isPrinted = await printing.print(line, printer, job);
        if (isPrinted !== null) silence.noteEnd(line.state, isPrinted);
        if (isPrinted === false) return await noteTrouble();
        attempts = 0;
      } finally {
        line?.close();
        line = null;
      }
    }
  }

  /** Returns whether the printer can print now. */
  async function open(printer: Printer): Promise<boolean> {
    silence.follow(printer);
    try {
      line = await openLine(world, printer.address);
      if (line.state === "unknown" && silence.isDoubted()) {
        await line.endEmpty();
        silence.noteEnd("unknown", true);
        line = await openLine(world, printer.address);
      }
      silence.noteState(line.state);
      lastState.note(line.state);
      return canPrint(line.state);
    } catch (error) {
      world.log.debug({ err: error, printer: printerId }, "a printer could not be reached");
      lastState.note("unreachable");
      return false;
    }
  }

  /** Returns the delay before the next attempt. From the second attempt on, stores the reason on the waiting jobs. */
  async function noteTrouble(): Promise<number> {
    attempts += 1;
    const trouble = troubleOf(lastState.state());
    const waiting = jobs.listUnfinished().filter((job) => job.sentTo === printerId && job.state === "waiting");
    if (attempts > 1 && waiting.some(({ error }) => error !== trouble)) {
      await changes.write((tx) => {
        for (const job of waiting) if (job.error !== trouble) spool.change(tx, job, { error: trouble });
      });
    }
    deps.onState();
    return Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
  }

  return {
    wake,
    /** Checks the printer at once, after a change or on request. */
    check,
    /** Null before the first check. */
    state: lastState.state,
    since: lastState.since,
    /** Whether the last attempt found the printer unable to print. */
    isInTrouble: (): boolean => attempts > 0,
    /** Waits briefly for the current job, then closes the line. */
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

/**
 * Decides whether a silent printer is one that never reports its state. A printer that has reported it, or whose connections
 * ended well, may hang or be in use by another PC.
 */
function createSilence() {
  let address: string | null = null;
  let is: "untested" | "trusted" | "doubted" = "untested";
  return {
    /** Resets what is known when the printer's address changes. */
    follow(printer: Printer): void {
      if (printer.address !== address) is = "untested";
      address = printer.address;
    },
    isDoubted: (): boolean => is === "doubted",
    noteState(state: PrinterState): void {
      if (state !== "unknown") is = "doubted";
    },
    noteEnd(state: PrinterState, isSuccess: boolean): void {
      if (state === "unknown" && isSuccess) is = "trusted";
      else if (is === "trusted") is = "doubted";
    },
  };
}

/** Tracks the known state of a printer and since when it holds. */
function createLastState(
  { world, changes, onState }: Pick<LaneDeps, "world" | "changes" | "onState">,
  printerId: string,
) {
  let state: PrinterState | null = null;
  let since = world.clock.now();
  return {
    state: (): PrinterState | null => state,
    since: (): number => since,
    note(now: PrinterState): void {
      if (now === state) return;
      const before = state;
      state = now;
      since = world.clock.now();
      notifyScreens(changes, world, { topics: ["printing"] });
      if (before !== null)
        world.log.info(logEvent("printer_state", { printer: printerId, state: now }), "a printer changed");
      onState();
    },
  };
}
