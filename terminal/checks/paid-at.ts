import type { Snapshot } from "@comanda/protocol";
import { openTenders } from "@comanda/rules";

/** Returns when a check was paid, ISO 8601: the hub's time, or before the hub has it, the time of the last payment. */
export function paidAt(snapshot: Pick<Snapshot, "tenders" | "updatedAt"> & { paidAt?: unknown }): string {
  if (typeof snapshot.paidAt === "string") return snapshot.paidAt;
  return openTenders(snapshot).at(-1)?.takenAt ?? snapshot.updatedAt;
}
