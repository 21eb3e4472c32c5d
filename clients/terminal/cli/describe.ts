import { isActive, type TableState } from "@comanda/protocol";
import type { Conflict, LocalOrder } from "@comanda/terminal";

export function describeTables(states: TableState[], known: { id: number; name: string }[]): string {
  const ids = new Set([...known.map(({ id }) => id), ...states.map(({ tableId }) => tableId)]);
  const lines = [...ids].map((id) => {
    const state = states.find(({ tableId }) => tableId === id);
    const name = known.find((table) => table.id === id)?.name ?? "";
    const order = state?.status === "occupied" ? (state.posReference ?? "") : "";
    const lock = state?.lock == null ? "" : `  locked by ${state.lock.userName}`;
    return `${String(id).padStart(4)}  ${name.padEnd(12)} ${(state?.status ?? "available").padEnd(10)} ${order}${lock}`;
  });
  return lines.join("\n") || "no tables are known yet";
}

export function describeOrders(orders: LocalOrder[], all: boolean): string {
  const shown = orders.filter(({ snapshot }) => all || isActive(snapshot.status));
  return shown.map(headOf).join("\n") || "no open checks";
}

export function describeOrder(order: LocalOrder): string {
  const lines = order.snapshot.lines.map((line, index) => {
    const name = typeof line["name"] === "string" ? line["name"] : `product ${line.productId ?? "?"}`;
    const kitchen =
      line.kitchenSentAt === undefined ? "" : ` kitchen ${line.preparedQuantity ?? 0}/${line.sentQuantity ?? 0}`;
    const marks = `${line.voided === true ? " VOID" : ""}${kitchen}${line.note ? `  (${line.note})` : ""}`;
    return `  ${String(index + 1).padStart(2)}  ${String(line.quantity).padStart(5)} × ${name.padEnd(30)} ${money(line.total ?? 0)}${marks}`;
  });
  const { subtotal, tax, total } = order.snapshot.totals;
  const note = order.snapshot.notes ? [`  note: ${order.snapshot.notes}`] : [];
  return [
    headOf(order),
    ...note,
    ...lines,
    `  subtotal ${money(subtotal)}  tax ${money(tax)}  total ${money(total)}`,
  ].join("\n");
}

export function describeConflict({ id, intent, refusal, orders }: Conflict): string {
  const places = refusal.collisions.map((each) => (each.kind === "line" ? `line ${each.lineId}` : each.field));
  const about = orders.map(({ posReference }) => posReference).join(", ");
  const where = places.length === 0 ? "" : ` [${places.join(", ")}]`;
  return `${id.slice(0, 8)}  ${intent.type} ${about}: ${refusal.errorCode}, ${refusal.error}${where}  (retry or drop ${id.slice(0, 8)})`;
}

function headOf({ posReference, version, tableId, snapshot, pending, paymentRefused }: LocalOrder): string {
  const marks = `${pending > 0 ? `  ${pending} waiting` : ""}${paymentRefused ? "  PAYMENT REFUSED" : ""}`;
  const table = tableId === null ? "no table" : `table ${tableId}`;
  return `${posReference}  ${table}  ${snapshot.status}  v${version}  ${money(snapshot.totals.total)}${marks}`;
}

function money(amount: number): string {
  return amount.toFixed(2).padStart(9);
}
