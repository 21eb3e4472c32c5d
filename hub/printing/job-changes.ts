import type { PrintJobNews } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { JobChange, JobRow, JobStore } from "./job-store.ts";
import { shownState } from "./present-job.ts";
import type { Printers } from "./printers.ts";

export type JobChanges = ReturnType<typeof createJobChanges>;

/** Stores changes of print jobs and notifies the terminals that caused the jobs. */
export function createJobChanges(jobs: JobStore, printers: Printers) {
  return { emit, presentChange, change, find };

  function emit(tx: Tx, job: JobRow, notifies: boolean): void {
    const { sentTo: printerId, terminalId } = job;
    tx.emit({ kind: "print.changed", job: presentChange(job), printerId, terminalId, notifies });
  }

  function presentChange(job: JobRow): PrintJobNews {
    const { jobId, state, document, posReference, sentTo, error, copyOf, isOpen, isPulseOnly } = job;
    const isSettled = isOpen === 0 && (state === "unknown" || state === "failed" || state === "dropped");
    return {
      id: jobId,
      state: shownState(state),
      document,
      ...(posReference !== null && { posReference }),
      printer: printers.get(sentTo)?.name ?? "",
      ...(error !== null && { error }),
      ...(isPulseOnly === 1 && { isPulseOnly: true }),
      ...(copyOf !== null && { copyOf }),
      ...(isSettled && { settled: true }),
    };
  }

  function change(tx: Tx, job: JobRow, changes: JobChange): JobRow {
    const changed = jobs.update(job, changes);
    const isEnd = changed.state !== job.state && (changed.state === "printed" || changed.state === "dropped");
    const isTrouble = changed.error !== null && changed.error !== job.error;
    emit(tx, changed, isEnd || isTrouble || changed.isOpen !== job.isOpen);
    return changed;
  }

  function find(jobId: string, terminalId: string | undefined): JobRow {
    const job = jobs.get(jobId);
    // A job of another terminal is reported as missing.
    if (job !== null && (terminalId === undefined || job.terminalId === terminalId)) return job;
    throw new HubError("NOT_FOUND", `there is no print job ${jobId}`);
  }
}
