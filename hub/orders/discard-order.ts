import type { TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { requireCashier, requireCurrent, requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { followOrder } from "./table-state.ts";
import type { Written } from "./upsert-order.ts";

/** Removes a check for good; its reference never comes back. */
export function discardOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_DISCARD">,
  writer: Writer,
): Written {
  requireCashier(writer, "discard a check");
  const stored = requireOrder(deps, request.posReference);
  requireUnlocked(stored);
  requireNoOtherLease(deps, request.posReference, writer);
  requireCurrent(deps, stored, request.baseVersion, writer.terminalId, true);
  const change = deps.orders.remove(tx, stored, writer.terminalId, request.reason ?? null);
  tx.emit(change);
  followOrder(deps, tx, stored.tableId, request.posReference, writer.terminalId);
  deps.leases.end(tx, request.posReference, writer.terminalId);
  return { posReference: request.posReference, version: change.version, seq: change.seq };
}
