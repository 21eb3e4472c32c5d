import type { OrderTicket, OperatorTicket, StoredLine, StoredOrder, TicketState } from "@comanda/protocol";
import type { OrderStore } from "../orders/order-store.ts";
import { subtract } from "../platform/money.ts";
import { isoTime } from "../platform/world.ts";
import type { ActiveOrders } from "./active-orders.ts";

export type TicketReader = ReturnType<typeof createTicketReader>;

/** Reads the kitchen tickets of an order, none when there is no such order. */
export function createTicketReader({ orders, activeOrders }: { orders: OrderStore; activeOrders: ActiveOrders }) {
  return (posReference: string): OperatorTicket[] => {
    const order = activeOrders.get(posReference) ?? orders.shown(posReference);
    if (order === null) return [];
    return ticketsOf(order, () => {
      const bumpedAt = orders.versions(posReference).findLast((row) => row.kind === "bumped")?.at;
      return bumpedAt === undefined ? null : isoTime(bumpedAt);
    });
  };
}

type TicketLine = OperatorTicket["lines"][number];

/**
 * The kitchen tickets of an order with the state of each. Prepared quantities of a line count for its tickets in the
 * order in which they were sent; a voided line need only be seen. `readyAt` is called for tickets that are ready.
 */
export function ticketsOf(order: StoredOrder, readyAt: () => string | null = () => null): OperatorTicket[] {
  const lines = new Map(order.snapshot.lines.map((line) => [line.id, line]));
  const earlier = new Map<string, number>();
  return (order.snapshot.kitchenTickets ?? []).map((ticket) => {
    const ticketLines = ticket.lines.map((sent) => ticketLine(sent, lines.get(sent.lineId), earlier));
    const state = stateOf(ticket, ticketLines);
    return {
      ticketId: ticket.id,
      posReference: order.posReference,
      orderType: order.snapshot.orderType,
      tableId: order.tableId,
      checkNumber: order.snapshot.checkNumber ?? null,
      ticketNumber: order.snapshot.ticketNumber ?? null,
      state,
      sentAt: ticket.sentAt,
      sentBy: ticket.sentBy,
      late: ticket.late === true,
      queuedAt: ticket.queuedAt ?? null,
      seen: ticket.seen.map(({ stationId, at }) => ({ stationId, at })),
      readyAt: state === "ready" ? readyAt() : null,
      lines: ticketLines,
    };
  });
}

function ticketLine(
  sent: OrderTicket["lines"][number],
  line: StoredLine | undefined,
  earlier: Map<string, number>,
): TicketLine {
  const before = earlier.get(sent.lineId) ?? 0;
  const quantity = Math.max(0, sent.quantity);
  earlier.set(sent.lineId, before + quantity);
  const prepared = Math.max(0, subtract(line?.preparedQuantity ?? 0, before));
  const name = line?.["name"] ?? line?.["productName"];
  return {
    lineId: sent.lineId,
    productId: line?.productId === undefined ? null : String(line.productId),
    name: typeof name === "string" ? name : null,
    quantity: sent.quantity,
    preparedQuantity: Math.min(prepared, quantity),
    status: line?.kitchenItemStatus ?? null,
    voided: sent.voided === true || line?.voided === true,
    note: line?.note ?? line?.specialRequest ?? null,
  };
}

function stateOf(ticket: OrderTicket, lines: readonly TicketLine[]): TicketState {
  const toPrepare = lines.filter((line) => !line.voided);
  const isPrepared = toPrepare.every((line) => line.preparedQuantity >= line.quantity);
  if (isPrepared && (toPrepare.length > 0 || ticket.seen.length > 0)) return "ready";
  if (toPrepare.some((line) => line.preparedQuantity > 0)) return "started";
  return ticket.seen.length > 0 ? "seen" : "unseen";
}
