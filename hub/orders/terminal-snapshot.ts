import { isDeepStrictEqual } from "node:util";
import {
  EXTERNAL_REFERENCE_PREFIX,
  MAX_AMOUNT,
  type Snapshot,
  type StoredLine,
  type StoredOrder,
  type TerminalSnapshot,
} from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { subtract, toUnits } from "../platform/money.ts";
import { isoTime } from "../platform/world.ts";
import type { KitchenWrite } from "./kitchen-write.ts";
import { statusOf, totalsOf } from "./line-rules.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";

/**
 * The snapshot that a terminal's write leaves behind: the terminal's content, with everything that is the hub's own
 * (status, numbers, times, payments, kitchen fields, plugin data it left out) taken from the stored order.
 */
export function terminalSnapshot(
  deps: Pick<OrderDeps, "numbering" | "orders">,
  tx: Tx,
  posReference: string,
  input: TerminalSnapshot,
  stored: StoredOrder | null,
  writer: Writer,
  kitchen: KitchenWrite,
): Snapshot {
  if (stored === null && posReference.startsWith(EXTERNAL_REFERENCE_PREFIX)) {
    throw new HubError(
      "VALIDATION_ERROR",
      `posReference: ${EXTERNAL_REFERENCE_PREFIX} is reserved for orders made by the hub`,
    );
  }
  const before = stored?.snapshot;
  const orderType = input.orderType ?? before?.orderType ?? "dine_in";
  const tableId = input.tableId === undefined ? (before?.tableId ?? null) : input.tableId;
  const lines = kitchen.lines(posReference, input.lines?.map(withAmounts) ?? before?.lines ?? []);
  const totals = input.totals ?? (input.lines === undefined && before !== undefined ? before.totals : totalsOf(lines));
  requireAmount("snapshot.totals.total", totals.total);
  const { payments: _payments, fiscal: _fiscal, ncf: _ncf, ...open } = input;
  const next: Snapshot = {
    ...open,
    posReference,
    status: nextStatus(before, lines, kitchen.hasMoved(posReference)),
    orderType,
    tableId,
    guestCount: input.guestCount ?? before?.guestCount ?? 1,
    staffName: input.staffName ?? before?.staffName ?? writer.userName,
    checkNumber: checkNumber(deps, tableId, before),
    createdAt: before?.createdAt ?? isoTime(tx.now),
    updatedAt: isoTime(tx.now),
    lines,
    totals,
  };
  const ticketNumber = before?.ticketNumber ?? deps.numbering.ticketNumber(tx, orderType);
  delete next.ticketNumber;
  if (ticketNumber !== undefined) next.ticketNumber = ticketNumber;
  const pluginData = mergePluginData(before?.pluginData, input.pluginData);
  delete next.pluginData;
  if (pluginData !== undefined) next.pluginData = pluginData;
  return next;
}

/** Fills in what the back-office requires of every line. */
function withAmounts(line: StoredLine, index: number): StoredLine {
  const unitPrice = line.unitPrice ?? 0;
  if ((line.voidedQuantity ?? 0) > line.quantity) {
    throw new HubError(
      "VALIDATION_ERROR",
      `snapshot.lines.${index}.voidedQuantity: ${line.voidedQuantity} is above the quantity of ${line.quantity}`,
    );
  }
  const charged = subtract(line.quantity, line.voidedQuantity ?? 0);
  const total = line.total ?? toUnits(charged * unitPrice) / toUnits(1);
  requireAmount(`snapshot.lines.${index}.total`, total);
  return { ...line, unitPrice, total, taxIds: line.taxIds ?? [], taxAmount: line.taxAmount ?? 0 };
}

/** Refuses an amount that the hub computed from numbers that are each within their bounds. */
function requireAmount(field: string, amount: number): void {
  if (Math.abs(amount) <= MAX_AMOUNT) return;
  throw new HubError("VALIDATION_ERROR", `${field}: ${amount} is more than ${MAX_AMOUNT}`);
}

/** What was split, moved, voided or taken back is known to the kitchen: then the status follows what it lacks. */
function nextStatus(before: Snapshot | undefined, lines: readonly StoredLine[], hasMoved: boolean): Snapshot["status"] {
  if (before === undefined || before.status === "open" || hasMoved) return statusOf(lines);
  if (before.status !== "sent" || isDeepStrictEqual(before.lines, lines)) return before.status;
  return "changed";
}

/** One above the highest active check on the table; kept while the order stays there. */
function checkNumber(
  deps: Pick<OrderDeps, "orders">,
  tableId: number | null,
  before: Snapshot | undefined,
): number | null {
  if (tableId === null) return null;
  if (before !== undefined && before.tableId === tableId && before.checkNumber != null) return before.checkNumber;
  return nextCheckNumber(deps, tableId);
}

export function nextCheckNumber(deps: Pick<OrderDeps, "orders">, tableId: number): number {
  const taken = deps.orders.activeOnTable(tableId).map((order) => order.checkNumber ?? 0);
  return Math.max(0, ...taken) + 1;
}

/** Merges per namespace; an empty object clears its namespace. Undefined when nothing is left. */
export function mergePluginData(stored: Snapshot["pluginData"], patch: Snapshot["pluginData"]): Snapshot["pluginData"] {
  if (patch === undefined) return stored;
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => Object.keys(value).length > 0);
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}
