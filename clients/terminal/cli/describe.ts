import { isActive, type ItemState, type KitchenTicket, type TableState, type Tender } from "@comanda/protocol";
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
    ...(order.snapshot.tenders ?? []).map(describeTender),
    `  subtotal ${money(subtotal)}  tax ${money(tax)}  total ${money(total)}`,
  ].join("\n");
}

function describeTender({ tenderId, amount, takenBy, voided }: Tender): string {
  const end = voided === undefined ? "" : ` GIVEN BACK (${voided.reason})`;
  return `  paid ${money(amount)}  ${takenBy}  ${tenderId.slice(0, 8)}${end}`;
}

export function describeTickets(tickets: readonly KitchenTicket[]): string {
  return tickets.map(describeTicket).join("\n") || "the kitchen has nothing to do";
}

function describeTicket({ id, stationName, posReference, tableId, sentBy, isOver, lines }: KitchenTicket): string {
  const place = tableId === null ? "no table" : `table ${tableId}`;
  const head = `${id.slice(0, 8)}  ${stationName ?? "kitchen"}  ${place}  ${posReference}  ${sentBy}${isOver ? "  OVER" : ""}`;
  const dishes = lines.map(
    ({ name, quantity, preparedQuantity, state }, index) =>
      `  ${String(index + 1).padStart(2)}  ${String(quantity).padStart(5)} × ${name.padEnd(30)} ${preparedQuantity}/${quantity} ${state}`,
  );
  return [head, ...dishes].join("\n");
}

export function describeItemStates(
  states: readonly ItemState[],
  products: readonly { id: number; name: string }[],
): string {
  const lines = states.map(({ productId, state, left }) => {
    const name = products.find(({ id }) => String(id) === String(productId))?.name ?? "";
    return `${String(productId).padStart(4)}  ${state}${left === null ? "" : ` (${left} left)`}  ${name}`;
  });
  return lines.join("\n") || "nothing is out";
}

export function describeConflict({ id, intent, refusal, orders, isNotice }: Conflict): string {
  const places = refusal.collisions.map((each) => (each.kind === "line" ? `line ${each.lineId}` : each.field));
  const about = orders.map(({ posReference }) => posReference).join(", ");
  const where = places.length === 0 ? "" : ` [${places.join(", ")}]`;
  return `${id.slice(0, 8)}  ${intent.type} ${about}: ${refusal.errorCode}, ${refusal.error}${where}  (${stepsFor({ intent, refusal, isNotice })} ${id.slice(0, 8)})`;
}

function stepsFor({ intent, refusal, isNotice }: Pick<Conflict, "intent" | "refusal" | "isNotice">): string {
  if (isNotice) return "join or both";
  if (refusal.existing !== undefined) return "join, both or drop";
  return intent.type === "ORDER_PAY" || intent.type === "ORDER_TENDER"
    ? "part, giveback, retry or drop"
    : "retry or drop";
}

function headOf({ posReference, version, tableId, snapshot, pending, paymentRefused }: LocalOrder): string {
  const marks = `${pending > 0 ? `  ${pending} waiting` : ""}${paymentRefused ? "  PAYMENT REFUSED" : ""}`;
  const table = tableId === null ? "no table" : `table ${tableId}`;
  return `${posReference}  ${table}  ${snapshot.status}  v${version}  ${money(snapshot.totals.total)}${marks}`;
}

function money(amount: number): string {
  return amount.toFixed(2).padStart(9);
}
