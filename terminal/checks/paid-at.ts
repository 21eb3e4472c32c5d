import type { Snapshot } from "@comanda/protocol";
import { openTenders } from "@comanda/rules";

/** When a check was paid, ISO 8601: as the hub says, until then when the last payment was taken. */
export function paidAt(snapshot: Pick<Snapshot, "tenders" | "updatedAt"> & { paidAt?: unknown }): string {
  if (typeof snapshot.paidAt === "string") return snapshot.paidAt;
  return openTenders(snapshot).at(-1)?.takenAt ?? snapshot.updatedAt;
}
