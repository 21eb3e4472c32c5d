import { HUB_ORIGIN, type Snapshot, type StoredLine } from "@comanda/protocol";
import { isWithKitchen, statusOf, sumOfLines, voidedQuantityOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { planKitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import { requireTotalCoversPaid } from "./payment-refusal.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followMove } from "./table-state.ts";
import { tablesOf } from "./tables-of.ts";
import { nextCheckNumber } from "./terminal-snapshot.ts";

/**
 * Writes the content of an earlier version as a new version of the hub's own. What the kitchen holds stays on the
 * order, with the kitchen's progress of now; so do numbers, tickets and what integrations attached. Refuses an order
 * that is locked, discarded or leased, and one that has moved on from `baseVersion`.
 */
export function revertOrder(
  deps: OrderDeps,
  tx: Tx,
  request: { posReference: string; version: number; baseVersion: number; userName: string },
): Written {
  const { posReference, version, baseVersion, userName } = request;
  if (deps.orders.wasRemoved(posReference)) {
    throw explainedError("ORDER_LOCKED", "order_discarded", { posReference });
  }
  const stored = requireOrder(deps, posReference);
  requireUnlocked(stored);
  const writer: Writer = { terminalId: HUB_ORIGIN, userName, role: "manager" };
  requireNoOtherLease(deps, posReference, writer);
  if (baseVersion !== stored.version) {
    throw new HubError("CONFLICT", `order ${posReference} is at version ${stored.version}, not ${baseVersion}`, {
      hubVersion: stored.version,
      snapshot: stored.snapshot,
    });
  }
  if (version === stored.version) throw explainedError("VALIDATION_ERROR", "version_is_current");
  const earlier = deps.orders.versionBody(posReference, version);
  if (earlier === null) throw new HubError("NOT_FOUND", `order ${posReference} has no version ${version}`);

  const requested = revertedLines(stored.snapshot.lines, earlier.snapshot.lines);
  const check = { posReference, stored: stored.snapshot.lines, requested };
  const kitchen = planKitchenWrite(deps, tx, [check], { mayVoid: true, mayTakeBack: () => false });
  const lines = kitchen.lines(posReference, requested);
  const snapshot = revertedSnapshot(stored.snapshot, earlier.snapshot, lines, isoTime(tx.now));
  requireTotalCoversPaid(stored, snapshot);
  if (snapshot.tableId !== stored.tableId) snapshot.checkNumber = nextCheckNumber(deps, snapshot);
  const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind: "reverted", previous: stored });
  kitchen.save(writer, [snapshot]);
  followMove(deps, tx, tablesOf(stored.snapshot), tablesOf(snapshot), posReference, HUB_ORIGIN);
  return written(change);
}

/** Fields that are the hub's or an integration's own: a revert leaves them as they are now. */
const keptFields = ["posReference", "createdAt", "checkNumber", "ticketNumber", "tenders", "pluginData"] as const;

function revertedSnapshot(now: Snapshot, earlier: Snapshot, lines: StoredLine[], updatedAt: string): Snapshot {
  const asEarlier = JSON.stringify(lines.map(amounts)) === JSON.stringify(earlier.lines.map(amounts));
  const next: Snapshot = {
    ...earlier,
    lines,
    totals: asEarlier ? earlier.totals : sumOfLines(lines, earlier.adjustments),
    updatedAt,
  };
  for (const field of keptFields) {
    delete next[field];
    if (now[field] !== undefined) Object.assign(next, { [field]: now[field] });
  }
  return { ...next, status: statusOf(next.lines) };
}

/**
 * The earlier lines with the kitchen's present progress. A line that would drop or lower what the kitchen holds stays as
 * it is; a sent line that has moved to another check since stays there.
 */
function revertedLines(now: readonly StoredLine[], earlier: readonly StoredLine[]): StoredLine[] {
  const current = new Map(now.map((line) => [line.id, line]));
  const staying = earlier.filter((line) => !isWithKitchen(line) || current.has(line.id));
  const sentThen = new Map(staying.map((line) => [line.id, line.sentQuantity ?? 0]));
  const returned = staying.map((line) => {
    const held = current.get(line.id);
    if (held === undefined) return line;
    const isShared = (held.sentQuantity ?? 0) < (sentThen.get(line.id) ?? 0);
    return isShared || isTakenBack(held, line) ? held : line;
  });
  const ids = new Set(earlier.map((line) => line.id));
  return [...returned, ...now.filter((line) => !ids.has(line.id) && isWithKitchen(line))];
}

function isTakenBack(held: StoredLine, line: StoredLine): boolean {
  return (
    isWithKitchen(held) && (voidedQuantityOf(held) > voidedQuantityOf(line) || line.quantity < (held.sentQuantity ?? 0))
  );
}

function amounts({ id, quantity, total, taxAmount, voided }: StoredLine) {
  return { id, quantity, total, taxAmount, voided };
}
