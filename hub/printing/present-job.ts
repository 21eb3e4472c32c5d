import type { PrintJob, PrintJobState } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";
import type { JobRow } from "./job-store.ts";

/** Returns the public state: a held receipt shows as waiting. */
export function shownState(state: JobRow["state"]): PrintJobState {
  return state === "held" ? "waiting" : state;
}

/** Converts a job for the screens. */
export function presentJob(row: JobRow): PrintJob {
  return {
    id: row.jobId,
    state: shownState(row.state),
    ...(row.state === "held" && { isHeld: true as const }),
    document: row.document,
    cause: row.cause,
    printerId: row.printerId,
    ...(row.sentTo !== row.printerId && { sentTo: row.sentTo }),
    ...(row.stationId !== null && { stationId: row.stationId }),
    ...(row.posReference !== null && { posReference: row.posReference }),
    ...(row.terminalId !== null && { terminalId: row.terminalId }),
    copy: row.copy,
    ...(row.isPulseOnly === 1 && { isPulseOnly: true as const }),
    ...(row.copyOf !== null && { copyOf: row.copyOf }),
    createdAt: isoTime(row.createdAt),
    ...(row.printedAt !== null && { printedAt: isoTime(row.printedAt) }),
    ...(row.error !== null && { error: row.error }),
    isOpen: row.isOpen === 1,
  };
}
