import { isDeepStrictEqual } from "node:util";
import {
  EXTERNAL_REFERENCE_PREFIX,
  MAX_AMOUNT,
  type Snapshot,
  type StoredLine,
  type StoredOrder,
  type TerminalSnapshot,
  type Totals,
} from "@comanda/protocol";
import { lineTotal, requestedAdjustments, statusOf, sumOfLines } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { withApproval } from "./adjustments.ts";
import type { KitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireTotals } from "./payment-refusal.ts";
import { requestedTables, tablesOf } from "./tables-of.ts";

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
  const tables = requestedTables(input, before);
  const lines = kitchen.lines(posReference, input.lines?.map(withAmounts) ?? before?.lines ?? []);
  const adjustments = requestedAdjustments(input, before);
  const totals = nextTotals(input, before, sumOfLines(lines, adjustments));
  const {
    payments: _payments,
    tenders: _tenders,
    fiscal: _fiscal,
    ncf: _ncf,
    tableIds: _tableIds,
    adjustments: _adjustments,
    ...open
  } = input;
  const next: Snapshot = {
    ...open,
    posReference,
    status: nextStatus(before, lines, kitchen.hasMoved(posReference)),
    orderType,
    ...tables,
    guestCount: input.guestCount ?? before?.guestCount ?? 1,
    staffName: input.staffName ?? before?.staffName ?? writer.userName,
    checkNumber: checkNumber(deps, tables, before),
    createdAt: before?.createdAt ?? isoTime(tx.now),
    updatedAt: isoTime(tx.now),
    lines,
    totals,
    ...(adjustments !== undefined && {
      adjustments: withApproval(adjustments, before?.adjustments, writer.approvedBy),
    }),
  };
  const ticketNumber = before?.ticketNumber ?? deps.numbering.ticketNumber(tx, orderType);
  delete next.ticketNumber;
  if (ticketNumber !== undefined) next.ticketNumber = ticketNumber;
  if (before?.tenders !== undefined) next.tenders = before.tenders;
  const pluginData = mergePluginData(before?.pluginData, input.pluginData);
  delete next.pluginData;
  if (pluginData !== undefined) next.pluginData = pluginData;
  return next;
}

/** A terminal's totals, if they are what its lines and adjustments add up to; as they were when it changed neither. */
function nextTotals(input: TerminalSnapshot, before: Snapshot | undefined, added: Totals): Snapshot["totals"] {
  const { totals, lines, adjustments } = input;
  if (totals !== undefined) {
    const parts = "its lines and adjustments";
    requireTotals("snapshot.totals.total", totals.total, added.total, parts);
    return totals;
  }
  if (lines === undefined && adjustments === undefined && before !== undefined) return before.totals;
  requireAmount("snapshot.totals.total", added.total);
  return added;
}

/** Fills in what the back-office requires of every line. */
function withAmounts(line: StoredLine, index: number): StoredLine {
  const unitPrice = line.unitPrice ?? 0;
  const total = lineTotal(line);
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

/** One above the highest active check on its tables; kept while the order stays on its main one. */
function checkNumber(
  deps: Pick<OrderDeps, "orders">,
  tables: Pick<Snapshot, "tableId" | "tableIds">,
  before: Snapshot | undefined,
): number | null {
  const stays = before !== undefined && before.tableId === tables.tableId;
  return stays && before.checkNumber != null ? before.checkNumber : nextCheckNumber(deps, tables);
}

/** The number of a new check on its tables; null for one without a table. */
export function nextCheckNumber(
  deps: Pick<OrderDeps, "orders">,
  tables: Pick<Snapshot, "tableId" | "tableIds">,
): number | null {
  if (tables.tableId === null) return null;
  const others = tablesOf(tables).flatMap((tableId) => deps.orders.activeOnTable(tableId));
  return Math.max(0, ...others.map((order) => order.checkNumber ?? 0)) + 1;
}

/** Merges per namespace; an empty object clears its namespace. Undefined when nothing is left. */
export function mergePluginData(stored: Snapshot["pluginData"], patch: Snapshot["pluginData"]): Snapshot["pluginData"] {
  if (patch === undefined) return stored;
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => Object.keys(value).length > 0);
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}
