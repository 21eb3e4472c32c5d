import type { TerminalSnapshot } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { planKitchenWrite, rightsOf, type KitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireCurrent, requireNoOtherLease, requireUnlocked } from "./order-guards.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followMove } from "./table-state.ts";
import { terminalSnapshot } from "./terminal-snapshot.ts";

export interface OrderInput {
  posReference: string;
  baseVersion: number;
  snapshot: TerminalSnapshot;
}

/** A terminal creates orders or replaces their content, all or none; `refuse` names the order that was refused. */
export function upsertOrders(
  deps: OrderDeps,
  tx: Tx,
  orders: readonly OrderInput[],
  writer: Writer,
  refuse: (posReference: string, refusal: unknown) => unknown,
): Written[] {
  const checks = orders.map(({ posReference, snapshot }) => {
    const stored = deps.orders.get(posReference)?.snapshot.lines ?? [];
    return { posReference, stored, requested: snapshot.lines ?? stored };
  });
  const kitchen = planKitchenWrite(deps, tx, checks, rightsOf(deps, tx, writer));
  const stored = orders.map((order) => {
    try {
      return upsertOrder(deps, tx, order, writer, kitchen);
    } catch (error) {
      throw refuse(order.posReference, error);
    }
  });
  kitchen.save(
    writer,
    stored.map(({ order }) => order.snapshot),
  );
  return stored.map(written);
}

function upsertOrder(
  deps: OrderDeps,
  tx: Tx,
  request: OrderInput,
  writer: Writer,
  kitchen: KitchenWrite,
): ChangeOf<"order.stored"> {
  const { posReference, baseVersion } = request;
  const stored = deps.orders.get(posReference);
  if (stored === null) {
    requireCreatable(deps, posReference, baseVersion);
  } else {
    requireUnlocked(stored);
  }
  requireNoOtherLease(deps, posReference, writer);
  if (stored !== null) requireCurrent(deps, stored, baseVersion, writer.terminalId, true);

  const snapshot = terminalSnapshot(deps, tx, posReference, request.snapshot, stored, writer, kitchen);
  const kind = stored === null ? "created" : "edited";
  const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind, previous: stored });
  followMove(deps, tx, stored?.tableId ?? null, snapshot.tableId, posReference, writer.terminalId);
  return change;
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
