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
import { toUnits } from "../platform/money.ts";
import { isoTime } from "../platform/world.ts";
import { guardSentLines, statusOf, totalsOf, withKitchenFields } from "./line-rules.ts";
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
  held: readonly StoredLine[] = stored?.snapshot.lines ?? [],
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
  const lines = nextLines(input, held, writer);
  const totals = input.totals ?? (input.lines === undefined && before !== undefined ? before.totals : totalsOf(lines));
  requireAmount("snapshot.totals.total", totals.total);
  const {
    payments: _payments,
    tenders: _tenders,
    fiscal: _fiscal,
    ncf: _ncf,
    kitchenTickets: _tickets,
    ...open
  } = input;
  const next: Snapshot = {
    ...open,
    posReference,
    status: nextStatus(before, held, lines),
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
  if (before?.tenders !== undefined) next.tenders = before.tenders;
  if (before?.kitchenTickets !== undefined) next.kitchenTickets = before.kitchenTickets;
  const pluginData = mergePluginData(before?.pluginData, input.pluginData);
  delete next.pluginData;
  if (pluginData !== undefined) next.pluginData = pluginData;
  return next;
}

function nextLines(input: TerminalSnapshot, held: readonly StoredLine[], writer: Writer): StoredLine[] {
  if (input.lines === undefined) return [...held];
  guardSentLines(held, input.lines, writer.role !== "waiter");
  return withKitchenFields(held, input.lines.map(withAmounts));
}

/** Fills in what the back-office requires of every line. */
function withAmounts(line: StoredLine, index: number): StoredLine {
  const unitPrice = line.unitPrice ?? 0;
  const total = line.total ?? toUnits(line.quantity * unitPrice) / toUnits(1);
  requireAmount(`snapshot.lines.${index}.total`, total);
  return { ...line, unitPrice, total, taxIds: line.taxIds ?? [], taxAmount: line.taxAmount ?? 0 };
}

/** Refuses an amount that the hub computed from numbers that are each within their bounds. */
function requireAmount(field: string, amount: number): void {
  if (Math.abs(amount) <= MAX_AMOUNT) return;
  throw new HubError("VALIDATION_ERROR", `${field}: ${amount} is more than ${MAX_AMOUNT}`);
}

/** Lines that only moved between orders of a batch are nothing new to the kitchen: then the status follows what it lacks. */
function nextStatus(
  before: Snapshot | undefined,
  held: readonly StoredLine[],
  lines: readonly StoredLine[],
): Snapshot["status"] {
  if (before === undefined || before.status === "open") return statusOf(lines);
  if (before.status !== "sent" || isDeepStrictEqual(before.lines, lines)) return before.status;
  return isDeepStrictEqual(before.lines, held) ? "changed" : statusOf(lines);
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
