import type { Snapshot } from "@comanda/protocol";

/** Returns since when the party of a check has been seated (ISO 8601). A split-off check inherits the time of its party. */
export function seatedSince({ seatedAt, createdAt }: Pick<Snapshot, "seatedAt" | "createdAt">): string {
  return seatedAt ?? createdAt;
}

/** Returns the earliest seating time of some checks; null if there are none. */
export function seatedFirst(snapshots: readonly Pick<Snapshot, "seatedAt" | "createdAt">[]): string | null {
  return snapshots.map(seatedSince).sort()[0] ?? null;
}
