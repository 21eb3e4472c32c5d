import type { StoredLine, TerminalSnapshot } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireCurrent, requireNoOtherLease, requireUnlocked } from "./order-guards.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followMove } from "./table-state.ts";
import { whyNoNewOrders } from "./why-no-new-orders.ts";
import { terminalSnapshot } from "./terminal-snapshot.ts";

/** A terminal creates an order or replaces its content. `held` are the stored lines after a batch has moved some. */
export function upsertOrder(
  deps: OrderDeps,
  tx: Tx,
  request: { posReference: string; baseVersion: number; snapshot: TerminalSnapshot },
  writer: Writer,
  held?: readonly StoredLine[],
): Written {
  const { posReference, baseVersion } = request;
  const stored = deps.orders.get(posReference);
  if (stored === null) {
    requireCreatable(deps, posReference, baseVersion);
  } else {
    requireUnlocked(stored);
  }
  requireNoOtherLease(deps, posReference, writer);
  if (stored !== null) requireCurrent(deps, stored, baseVersion, writer.terminalId, true);

  const snapshot = terminalSnapshot(deps, tx, posReference, request.snapshot, stored, writer, held);
  const kind = stored === null ? "created" : "edited";
  const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind, previous: stored });
  followMove(deps, tx, stored?.tableId ?? null, snapshot.tableId, posReference, writer.terminalId);
  return written(change);
}

function requireCreatable(deps: OrderDeps, posReference: string, baseVersion: number): void {
  if (baseVersion > 0) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
  if (deps.orders.wasRemoved(posReference)) {
    throw new HubError("ORDER_LOCKED", `order ${posReference} was discarded and cannot come back`);
  }
  const refusal = whyNoNewOrders(deps.posConfig(), deps.session());
  if (refusal !== null) throw refusal;
}
