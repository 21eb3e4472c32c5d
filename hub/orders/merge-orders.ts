import type { StoredLine, TerminalLine } from "@comanda/protocol";
import { isWithKitchen } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { KitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireCurrent, requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import { requireNoPayments } from "./payment-refusal.ts";
import { removeOrder } from "./remove-order.ts";
import type { Written } from "./save-version.ts";

/** The lines of one order of a batch: as stored, and as the terminal wants them (undefined: as they are). */
interface BatchLines {
  posReference: string;
  stored: readonly StoredLine[];
  requested: readonly TerminalLine[] | undefined;
}

/** The orders of a batch that it leaves without a line because all went to others of it, each with those others. */
export function findMerges(batch: readonly BatchLines[]): Map<string, string[]> {
  const emptied = batch.filter(({ stored, requested }) => stored.length > 0 && requested?.length === 0);
  const merges = new Map<string, string[]>();
  if (emptied.length === 0) return merges;
  const arrivals = batch.flatMap(arrivalsIn);
  const byId = Map.groupBy(arrivals, ({ line }) => line.id);
  const byOrigin = Map.groupBy(arrivals, ({ line }) => line.splitOf);
  for (const { posReference, stored } of emptied) {
    // What was voided before the kitchen had it is nothing that anyone could look for.
    const toFind = stored.filter((line) => line.voided !== true || isWithKitchen(line));
    const found = toFind.map(({ id }) => {
      const parts = (byOrigin.get(id) ?? []).filter(({ line }) => (line.splitFrom ?? posReference) === posReference);
      return [...(byId.get(id) ?? []), ...parts].map((arrival) => arrival.posReference);
    });
    if (found.length > 0 && found.every((to) => to.length > 0)) merges.set(posReference, [...new Set(found.flat())]);
  }
  return merges;
}

/** The lines that an order gets with the batch, or more of: a part that comes back joins the line it left. */
function arrivalsIn({ posReference, stored, requested }: BatchLines): { posReference: string; line: TerminalLine }[] {
  const before = new Map(stored.map(({ id, quantity }) => [id, quantity]));
  return (requested ?? [])
    .filter(({ id, quantity }) => quantity > (before.get(id) ?? -1))
    .map((line) => ({ posReference, line }));
}

const MERGED = "merged into ";

/** The checks that the lines of a removed order went to, read from the reason that it was removed for; null for a discard. */
export function mergedIntoOf(reason: string | null): string[] | null {
  return reason?.startsWith(MERGED) === true ? reason.slice(MERGED.length).split(", ") : null;
}

export function reasonOfMerge(mergedInto: readonly string[]): string {
  return `${MERGED}${mergedInto.join(", ")}`;
}

/** Closes an order whose lines went to `mergedInto`: removed, not discarded, so that a waiter may do it. */
export function closeMerged(
  deps: OrderDeps,
  tx: Tx,
  request: { posReference: string; baseVersion: number },
  writer: Writer,
  { mergedInto, kitchen }: { mergedInto: string[]; kitchen: KitchenWrite },
): Written {
  const { posReference, baseVersion } = request;
  const stored = requireOrder(deps, posReference);
  requireUnlocked(stored);
  requireNoOtherLease(deps, posReference, writer);
  requireCurrent(deps, stored, baseVersion, writer.terminalId, true);
  requireNoPayments(stored);
  // Refuses what the kitchen has and no other order took.
  kitchen.lines(posReference, []);
  return removeOrder(deps, tx, stored, {
    origin: writer.terminalId,
    reason: reasonOfMerge(mergedInto),
    mergedInto,
  });
}
