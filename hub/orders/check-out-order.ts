import { isActive, type OrderStatus, type StoredOrder, type TerminalMessageOf } from "@comanda/protocol";
import { cancelledQuantityOf, openTenders, statusOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { cancelWork } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import {
  locked,
  requireCashier,
  requireCurrent,
  requireNoOtherLease,
  requireOrder,
  requireUnlocked,
} from "./order-guards.ts";
import { requireNoPayments } from "./payment-refusal.ts";
import { removeOrder } from "./remove-order.ts";
import { saveVersion, written, type Written } from "./save-version.ts";

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
  const stored = requireOrder(deps, request.posReference);
  requireMayDiscard(deps, stored, writer);
  requireUnlocked(stored);
  requireNoOtherLease(deps, request.posReference, writer);
  requireCurrent(deps, stored, request.baseVersion, writer.terminalId, true);
  requireNoPayments(stored);
  const removed = removeOrder(deps, tx, stored, { origin: writer.terminalId, reason: request.reason ?? null });
  cancelWork(deps, tx, request.posReference, writer);
  return removed;
}

/** A waiter may discard what was never a sale: no money, and nothing that the kitchen has. */
function requireMayDiscard(deps: OrderDeps, { posReference, snapshot }: StoredOrder, writer: Writer): void {
  if (writer.role !== "waiter") return;
  const hasMoney =
    openTenders(snapshot).length > 0 ||
    deps.unappliedPayments.ofOrder(posReference).some(({ settledAt }) => settledAt === null);
  if (hasMoney || !isActive(snapshot.status)) requireCashier(writer, "discard a check with payments");
  const isWithKitchen = snapshot.lines.some((line) => (line.sentQuantity ?? 0) > cancelledQuantityOf(line));
  if (isWithKitchen) requireCashier(writer, "discard a check that the kitchen has");
}
