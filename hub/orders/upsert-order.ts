import type { StoredLine, TerminalSnapshot } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireCurrent, requireFreeTables, requireNoOtherLease, requireUnlocked } from "./order-guards.ts";
import { requireTotalCoversPaid } from "./payment-rules.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followMove } from "./table-state.ts";
import { tablesOf } from "./tables-of.ts";
import { terminalSnapshot } from "./terminal-snapshot.ts";

const noTables: ReadonlySet<number> = new Set();

/**
 * A terminal creates an order or replaces its content. Of a batch, `held` are the stored lines after it has moved some, and
 * `shared` the tables that may get another check without being asked for.
 */
export function upsertOrder(
  deps: OrderDeps,
  tx: Tx,
  request: {
    posReference: string;
    baseVersion: number;
    snapshot: TerminalSnapshot;
    additionalCheck?: boolean | undefined;
  },
  writer: Writer,
  held?: readonly StoredLine[],
  shared: ReadonlySet<number> = noTables,
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
  requireTotalCoversPaid(stored, snapshot);
  if (stored === null && snapshot.orderType === "dine_in" && request.additionalCheck !== true) {
    requireFreeTables(deps, tablesOf(snapshot), shared);
  }
  const kind = stored === null ? "created" : "edited";
  const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind, previous: stored });
  const former = stored === null ? [] : tablesOf(stored.snapshot);
  followMove(deps, tx, former, tablesOf(snapshot), posReference, writer.terminalId);
  return written(change);
}

function requireCreatable(deps: OrderDeps, posReference: string, baseVersion: number): void {
  if (baseVersion > 0) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
  if (deps.orders.wasRemoved(posReference)) {
    throw new HubError("ORDER_LOCKED", `order ${posReference} was discarded and cannot come back`);
  }
  if (deps.session()?.active === false) {
    throw new HubError("NO_ACTIVE_SESSION", "the point-of-sale session is closed");
  }
}
