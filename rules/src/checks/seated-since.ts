import type { Snapshot } from "@comanda/protocol";

/** Since when the party of a check sits there, ISO 8601: a check that was split off has their time, not its own. */
export function seatedSince({ seatedAt, createdAt }: Pick<Snapshot, "seatedAt" | "createdAt">): string {
  return seatedAt ?? createdAt;
}

/** The earliest of some checks; null without one. */
export function seatedFirst(snapshots: readonly Pick<Snapshot, "seatedAt" | "createdAt">[]): string | null {
  return snapshots.map(seatedSince).sort()[0] ?? null;
}
