import type { Snapshot } from "@comanda/protocol";
import type { CheckLines } from "../kitchen/find-dishes.ts";
import type { ServiceState } from "../state.ts";

/** Since when the party of a check sits there, ISO 8601: a check that was split off has their time, not its own. */
export function seatedSince({ seatedAt, createdAt }: Pick<Snapshot, "seatedAt" | "createdAt">): string {
  return seatedAt ?? createdAt;
}

/** Whose check it is: the parts of one that was split have the same party, and each names all of its guests. */
export function partyOf(check: Pick<Snapshot, "posReference" | "tableId" | "seatedAt" | "createdAt">): string {
  return `${check.tableId ?? check.posReference} ${seatedSince(check)}`;
}

/** The earliest of some checks; null without one. */
export function seatedFirst(snapshots: readonly Pick<Snapshot, "seatedAt" | "createdAt">[]): string | null {
  return snapshots.map(seatedSince).sort()[0] ?? null;
}

/**
 * The checks of a write that tell when the party of another one of it sat down: those that the lines of a new check come from,
 * and those that are merged into a check. Dishes that go to a check that is there do not make its party older.
 */
export function originsOf(
  state: ServiceState,
  checks: readonly CheckLines[],
  merges: ReadonlyMap<string, readonly string[]>,
): (posReference: string) => Snapshot[] {
  return (posReference) => {
    const isNew = state.order(posReference) === null;
    const requested = checks.find((check) => check.posReference === posReference)?.requested ?? [];
    const origins = checks.filter((check) =>
      isNew
        ? requested.some(({ id, splitOf = id }) => check.stored.some((line) => line.id === splitOf))
        : merges.get(check.posReference)?.includes(posReference),
    );
    return origins.flatMap((check) => state.order(check.posReference)?.snapshot ?? []);
  };
}
