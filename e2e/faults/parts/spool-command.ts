import type { PrintDocument, PrintJobState } from "@comanda/protocol";

/** The commands of the spool program. */
export type SpoolCommand =
  | { do: "printer"; id: string; address: string; fallback?: string }
  | { do: "add"; cause: string; printerId: string; document: PrintDocument }
  | { do: "again"; jobId: string }
  | { do: "jobs" }
  | { do: "stop" };

export interface SpoolJob {
  jobId: string;
  cause: string;
  printerId: string;
  state: PrintJobState;
  error: string | null;
  copy: number;
  isOpen: 0 | 1;
}
