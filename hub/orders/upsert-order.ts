import { EXTERNAL_REFERENCE_PREFIX, terminalLimits, type TerminalSnapshot } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { planKitchenWrite, rightsOf, type KitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import {
  requireCurrent,
  requireFewOrders,
  requireFreeTables,
  requireNoOtherLease,
  requireUnlocked,
} from "./order-guards.ts";
import { requireFewUnplanned } from "../tables/require-known-tables.ts";
import { requireTotalCoversPaid } from "./payment-refusal.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followMove } from "./table-state.ts";
import { tablesOf } from "./tables-of.ts";
import { whyNoNewOrders } from "./why-no-new-orders.ts";
import { terminalSnapshot } from "./terminal-snapshot.ts";

export interface OrderInput {
  posReference: string;
  baseVersion: number;
  snapshot: TerminalSnapshot;
  /** A new check on a table that has one is wanted. */
  additionalCheck?: boolean | undefined;
  /** It is written with an order that is open: a part of that one rather than a new one. */
  isSplit?: boolean;
  /** It is taken on whatever table it was. */
  isOnAnyTable?: boolean;
}

const noTables: ReadonlySet<number> = new Set();

/** A terminal creates an order or replaces its content. */
export function upsertOrder(deps: OrderDeps, tx: Tx, request: OrderInput, writer: Writer): Written {
  const { posReference, snapshot } = request;
  const stored = deps.orders.get(posReference)?.snapshot.lines ?? [];
  const check = { posReference, stored, requested: snapshot.lines ?? stored };
  const kitchen = planKitchenWrite(deps, tx, [check], rightsOf(deps, tx, writer));
  const change = writeOrder(deps, tx, request, writer, kitchen);
  kitchen.save(writer, [change.order.snapshot]);
  return written(change);
}

/**
 * Stores one of the orders that are written at once; the caller stores their tickets. `shared` are the tables that may get
 * another check without being asked for.
 */
export function writeOrder(
  deps: OrderDeps,
  tx: Tx,
  request: OrderInput,
  writer: Writer,
  kitchen: KitchenWrite,
  shared: ReadonlySet<number> = noTables,
): ChangeOf<"order.stored"> {
  const { posReference, baseVersion } = request;
  const stored = deps.orders.get(posReference);
  if (stored === null) {
    requireCreatable(deps, request);
    requireFewOrders(deps, writer.terminalId);
  } else {
    requireUnlocked(stored);
  }
  requireNoOtherLease(deps, posReference, writer);
  if (stored !== null) requireCurrent(deps, stored, baseVersion, writer.terminalId, true);

  const snapshot = terminalSnapshot(deps, tx, posReference, request.snapshot, stored, writer, kitchen);
  requireTotalCoversPaid(stored, snapshot);
  if (request.isOnAnyTable !== true) requireFewUnplanned(deps, tablesOf(snapshot), tx.now);
  if (stored === null && snapshot.orderType === "dine_in" && request.additionalCheck !== true) {
    requireFreeTables(deps, tablesOf(snapshot), shared);
  }
  const kind = stored === null ? "created" : "edited";
  const write = { posReference, snapshot, kind, previous: stored } as const;
  // What an integration made is as large as its body may be, and what the hub notes on each line comes on top.
  const isBounded = !posReference.startsWith(EXTERNAL_REFERENCE_PREFIX);
  const most = isBounded ? { mostBytes: terminalLimits.orderContentBytes } : {};
  const change = saveVersion(deps, tx, writer, { ...write, ...most });
  const former = stored === null ? [] : tablesOf(stored.snapshot);
  followMove(deps, tx, former, tablesOf(snapshot), posReference, writer.terminalId);
  return change;
}

function requireCreatable(deps: OrderDeps, { posReference, baseVersion, isSplit }: OrderInput): void {
  if (baseVersion > 0) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
  if (deps.orders.wasRemoved(posReference)) {
    throw new HubError("ORDER_LOCKED", `order ${posReference} was discarded and cannot come back`);
  }
  const refusal = whyNoNewOrders(isSplit === true ? null : deps.posConfig(), deps.session());
  if (refusal !== null) throw refusal;
}
