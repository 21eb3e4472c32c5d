import type { PrinterState } from "@comanda/protocol";
import type { Listener, Tx } from "../changes/change.ts";
import { createLoop } from "../platform/loop.ts";
import { createAges } from "../time/ages.ts";
import type { JobChange, JobRow } from "./job-store.ts";
import { PULSE_MS } from "./job-printing.ts";
import { createPrinterLane, type LaneDeps, type PrinterLane } from "./printer-lane.ts";

/** Interval of checks for due changes, beside the timers that are set for them. */
const INTERVAL_MS = 60_000;

export interface PrinterCondition {
  state: PrinterState;
  since: number;
}

export type PrintService = ReturnType<typeof createPrintService>;

/** Prints waiting jobs, with one lane per printer, and changes jobs as they age. */
export function createPrintService(
  deps: Omit<LaneDeps, "ageOf" | "dueChangeOf" | "onState"> & { fallbackMs: number; expireMs: number },
) {
  const { world, changes, jobs, printers, spool, fallbackMs, expireMs } = deps;
  const lanes = new Map<string, PrinterLane>();
  const ages = createAges(world.clock);
  const loop = createLoop(world, "print jobs", INTERVAL_MS, applyDueChanges, untilDueMs);
  let isStarted = false;

  /** Returns a function for the ages of jobs at this moment. */
  function agesNow(): (job: JobRow) => number {
    const ageOf = ages.now();
    return ({ jobId, createdAt }) => ageOf(jobId, createdAt);
  }

  function ageOf(job: JobRow): number {
    return agesNow()(job);
  }

  /** Returns the changes that a job's age will cause, and at which age (ms). The earliest applies. */
  function dueChanges(job: JobRow): { at: number; change: JobChange }[] {
    const { state, createdAt, printerId, sentTo, heldUntil } = job;
    if (state === "printing") return [];
    const expired = { at: expireMs, change: { state: "failed", isOpen: 1, error: "expired" } } as const;
    if (state === "held") {
      return [expired, { at: (heldUntil ?? createdAt) - createdAt, change: { state: "waiting", heldUntil: null } }];
    }
    if (job.isPulseOnly === 1) {
      const change = { state: "failed", isOpen: 1, error: "pulse_late", pulse: "late" } as const;
      return [{ at: PULSE_MS, change }];
    }
    const fallback = job.document === "station" && sentTo === printerId ? fallbackOf(printerId) : null;
    if (fallback === null || lanes.get(printerId)?.isInTrouble() !== true) return [expired];
    return [expired, { at: fallbackMs, change: { sentTo: fallback, error: null } }];
  }

  function dueChangeOf(job: JobRow, age = ageOf(job)): JobChange | null {
    return dueChanges(job).find(({ at }) => at <= age)?.change ?? null;
  }

  function fallbackOf(printerId: string): string | null {
    return printers.get(printers.get(printerId)?.fallback)?.id ?? null;
  }

  async function applyDueChanges(): Promise<void> {
    const unfinished = jobs.listUnfinished();
    ages.keepOnly(unfinished.map(({ jobId }) => jobId));
    const ageOf = agesNow();
    if (!unfinished.some((job) => dueChangeOf(job, ageOf(job)) !== null)) return;
    await changes.write((tx) => {
      for (const job of jobs.listUnfinished()) {
        const due = dueChangeOf(job, ageOf(job));
        if (due !== null) spool.change(tx, job, due);
      }
    });
  }

  function untilDueMs(): number {
    const ageOf = agesNow();
    const waits = jobs.listUnfinished().flatMap((job) => dueChanges(job).map(({ at }) => at - ageOf(job)));
    return Math.min(...waits);
  }

  /** Keeps one lane per existing printer. */
  function followPrinters(): void {
    for (const [printerId, lane] of lanes) {
      if (printers.get(printerId) !== null) continue;
      lanes.delete(printerId);
      void lane.stop();
    }
    for (const { id } of printers.list()) {
      if (lanes.has(id)) continue;
      const lane = createPrinterLane({ ...deps, ageOf, dueChangeOf, onState: loop.reschedule }, id);
      lanes.set(id, lane);
      lane.check();
    }
  }

  return {
    /** Called after each commit. */
    follow: ((group) => {
      const jobChanges = group.filter((change) => change.kind === "print.changed");
      if (jobChanges.length === 0) return;
      // Callers waiting for this commit get their answers first.
      world.timers.setImmediate(() => {
        if (!isStarted) return;
        for (const { job, printerId } of jobChanges) if (job.state === "waiting") lanes.get(printerId)?.wake();
        loop.reschedule();
      });
    }) satisfies Listener,

    /** Called when a printer was added, changed or removed. */
    printersChanged(printerId: string): void {
      if (!isStarted) return;
      followPrinters();
      lanes.get(printerId)?.check();
    },

    /** The printer's last known state; null before it was first checked. */
    conditionOf(printerId: string): PrinterCondition | null {
      const lane = lanes.get(printerId);
      const state = lane?.state() ?? null;
      return lane === undefined || state === null ? null : { state, since: lane.since() };
    },

    /** Marks jobs that were printing when the hub ended as unknown, then starts. They may have been printed. */
    async start(): Promise<void> {
      const interrupted = jobs.listUnfinished().filter(({ state }) => state === "printing");
      if (interrupted.length > 0) {
        await changes.write((tx: Tx) => {
          for (const job of interrupted) spool.change(tx, job, { state: "unknown", isOpen: 1, error: "hub_ended" });
        });
      }
      isStarted = true;
      followPrinters();
      loop.start();
    },
    async stop(): Promise<void> {
      isStarted = false;
      await Promise.all([...lanes.values()].map((lane) => lane.stop()));
      await loop.stop();
    },
  };
}
