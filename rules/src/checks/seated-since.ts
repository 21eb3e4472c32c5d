import type { Snapshot } from "@comanda/protocol";
import type { CheckLines } from "../kitchen/find-dishes.ts";
import type { ServiceState } from "../state.ts";

/** Since when the party of a check sits there, ISO 8601: a check that was split off has their time, not its own. */
export function seatedSince({ seatedAt, createdAt }: Pick<Snapshot, "seatedAt" | "createdAt">): string {
  return seatedAt !== undefined && seatedAt < createdAt ? seatedAt : createdAt;
}

/** The earliest of some checks; null without one. */
export function seatedFirst(snapshots: readonly Pick<Snapshot, "seatedAt" | "createdAt">[]): string | null {
  return snapshots.map(seatedSince).sort()[0] ?? null;
}

/**
 * When the party of each check of a write sat down, as far as its other checks tell: those that the lines of a new check come
 * from, and those that are merged into a check. Dishes that go to a check that is there do not make its party older.
 */
export function seatedByOthers(
  state: ServiceState,
  checks: readonly CheckLines[],
  merges: ReadonlyMap<string, readonly string[]>,
): (posReference: string) => string | null {
  return (posReference) => {
    const isNew = state.order(posReference) === null;
    const requested = checks.find((check) => check.posReference === posReference)?.requested ?? [];
    const origins = new Set(requested.flatMap(({ id, splitOf }) => splitOf ?? id));
    const sources = checks.filter(
      (check) =>
        check.posReference !== posReference &&
        (merges.get(check.posReference)?.includes(posReference) === true ||
          (isNew && check.stored.some(({ id }) => origins.has(id)))),
    );
    return seatedFirst(sources.flatMap((source) => state.order(source.posReference)?.snapshot ?? []));
  };
}
