import type { TerminalLine } from "@comanda/protocol";
import type { Actor } from "../context.ts";
import { type LineQuantities, voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { type CheckWrite, findRaised, type Origins } from "../money/pricing/line-origins.ts";

/**
 * Returns a function that names on a voided line who approved its last void or comp, or without an approver who made it. Parts
 * of a split line, and lines that move, keep the name.
 */
export function markVoids(checks: readonly CheckWrite[], origins: Origins, { approvedBy, userName }: Actor) {
  const isMoreVoided = findRaised(checks, origins, voidWeight);
  return (check: CheckWrite, line: TerminalLine): TerminalLine => {
    const { voidedBy: _, ...rest } = line;
    if (voidWeight(line) === 0) return rest;
    const before = origins.originOf(check, line)?.line.voidedBy;
    const voidedBy = isMoreVoided(check, line) ? (approvedBy ?? userName) : before;
    return voidedBy === undefined ? rest : { ...rest, voidedBy };
  };
}

/** A comp weighs double, so that giving away what was void counts as a new act. */
function voidWeight(line: LineQuantities): number {
  return voidedQuantityOf(line) * (line.comp === true ? 2 : 1);
}
