import type { StoredLine } from "@comanda/protocol";
import type { Actor } from "../context.ts";
import { type LineQuantities, voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { type CheckWrite, findOrigins, findRaised } from "../money/pricing/line-origins.ts";
import type { CheckChange, ServiceChanges } from "../outcome.ts";

/**
 * Names on each voided line of a write who approved its last void or comp, or without an approver who made it. Parts of a split
 * line, and lines that move, keep the name.
 */
export function markVoids<C extends Pick<ServiceChanges, "checks" | "removals">>(
  changes: C,
  { approvedBy, userName }: Pick<Actor, "approvedBy" | "userName">,
): C {
  const { checks, removals } = changes;
  if (!checks.some(({ snapshot }) => snapshot.lines.some(isMarked))) return changes;
  const merged = removals.map(({ check }) => ({ ...check, before: check.snapshot, snapshot: { lines: [] } }));
  const writes = [...checks.map(writeOf), ...merged];
  const origins = findOrigins(writes);
  const isMoreVoided = findRaised(writes, origins, voidWeight);
  const marked = (check: CheckWrite) => (line: StoredLine) => {
    if (!isMarked(line)) return line;
    const { voidedBy: _, ...rest } = line;
    if (voidedQuantityOf(line) === 0) return rest;
    const before = origins.originOf(check, line)?.line.voidedBy;
    const voidedBy = isMoreVoided(check, line) ? (approvedBy ?? userName) : before;
    return voidedBy === undefined ? rest : { ...rest, voidedBy };
  };
  return {
    ...changes,
    checks: checks.map((change) => {
      const lines = change.snapshot.lines.map(marked(writeOf(change)));
      return { ...change, snapshot: { ...change.snapshot, lines } };
    }),
  };
}

function writeOf({ previous, snapshot }: CheckChange): CheckWrite {
  return { posReference: snapshot.posReference, before: previous?.snapshot, snapshot };
}

function isMarked(line: StoredLine): boolean {
  return line.voidedBy !== undefined || voidedQuantityOf(line) > 0;
}

/** A comp weighs double, so that giving away what was void counts as a new act. */
function voidWeight(line: LineQuantities): number {
  return voidedQuantityOf(line) * (line.comp === true ? 2 : 1);
}
