import type { OrderStatus, TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { statusOf } from "./line-rules.ts";
import { locked, requireCurrent, requireNoOtherLease, requireOrder, requireUnlocked } from "./order-guards.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import type { Written } from "./upsert-order.ts";

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
  const change = deps.orders.save(tx, {
    posReference: request.posReference,
    snapshot: {
      ...stored.snapshot,
      status: isReopening ? statusOf(stored.snapshot.lines) : "checkout",
      updatedAt: isoTime(tx.now),
    },
    kind: isReopening ? "reopened" : "checkout",
    origin: writer.terminalId,
    userName: writer.userName,
    previous: stored,
  });
  tx.emit(change);
  return { posReference: request.posReference, version: change.order.version, seq: change.seq };
}

function requireCheckedOut(status: OrderStatus, lockedError: () => HubError): void {
  if (status === "checkout") return;
  if (status === "paid" || status === "closed") throw lockedError();
  throw new HubError("VALIDATION_ERROR", `the order is ${status}, not in checkout`);
}
