import type { OrderStatus, TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { statusOf } from "./line-rules.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import {
  locked,
  requireCashier,
  requireCurrent,
  requireNoOtherLease,
  requireOrder,
  requireUnlocked,
} from "./order-guards.ts";
import { requireNoPayments } from "./payment-rules.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followOrder } from "./table-state.ts";

/** Moves an order to `checkout`, where it takes no edits, or back. */
export function checkOutOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_CHECKOUT"> | TerminalMessageOf<"ORDER_REOPEN">,
  writer: Writer,
): Written {
  const stored = requireOrder(deps, request.posReference);
  const isReopening = request.type === "ORDER_REOPEN";
  if (isReopening) requireCheckedOut(stored.snapshot.status, () => locked(stored));
  else requireUnlocked(stored);
  requireNoOtherLease(deps, request.posReference, writer);
  requireCurrent(deps, stored, request.baseVersion, writer.terminalId, true);
  const change = saveVersion(deps, tx, writer, {
    posReference: request.posReference,
    snapshot: { ...stored.snapshot, status: isReopening ? statusOf(stored.snapshot.lines) : "checkout" },
    kind: isReopening ? "reopened" : "checkout",
    previous: stored,
  });
  return written(change);
}

function requireCheckedOut(status: OrderStatus, lockedError: () => HubError): void {
  if (status === "checkout") return;
  if (status === "paid" || status === "closed") throw lockedError();
  throw new HubError("VALIDATION_ERROR", `the order is ${status}, not in checkout`);
}

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
  requireNoPayments(stored);
  const change = deps.orders.remove(tx, stored, writer.terminalId, request.reason ?? null);
  tx.emit(change);
  followOrder(deps, tx, stored.tableId, request.posReference, writer.terminalId);
  deps.leases.end(tx, request.posReference, writer.terminalId);
  return { posReference: request.posReference, version: change.version, seq: change.seq };
}
