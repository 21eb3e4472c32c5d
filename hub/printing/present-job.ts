import type { PrintJob, PrintJobState } from "@comanda/protocol";
import { isoTime } from "../platform/world.ts";
import type { JobRow } from "./job-store.ts";

/** Returns the public state: a held receipt shows as waiting. */
export function shownState(state: JobRow["state"]): PrintJobState {
  return state === "held" ? "waiting" : state;
}

/** Converts a job for the screens. */
export function presentJob(row: JobRow): PrintJob {
  const {
    jobId,
    state,
    document,
    cause,
    printerId,
    sentTo,
    stationId,
    posReference,
    terminalId,
    copyOf,
    error,
    isPulseOnly,
  } = row;
  return {
    id: jobId,
    state: shownState(state),
    ...(state === "held" && { isHeld: true as const }),
    document,
    cause,
    printerId,
    ...(sentTo !== printerId && { sentTo }),
    ...(stationId !== null && { stationId }),
    ...(posReference !== null && { posReference }),
    ...(terminalId !== null && { terminalId }),
    copy: row.copy,
    ...(isPulseOnly === 1 && { isPulseOnly: true as const }),
    ...(copyOf !== null && { copyOf }),
    createdAt: isoTime(row.createdAt),
    ...(row.printedAt !== null && { printedAt: isoTime(row.printedAt) }),
    ...(error !== null && { error }),
    isOpen: row.isOpen === 1,
  };
}
