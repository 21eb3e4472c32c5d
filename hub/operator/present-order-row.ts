import type { ForwardState, LeaseHolder, OrderRow, StoredOrder } from "@comanda/protocol";

/** An order as a line of the operator's list. */
export function presentOrderRow(
  order: StoredOrder,
  about: {
    forward: ForwardState;
    removedAs?: { version: number; at: string; origin: string } | undefined;
    unappliedPayment: boolean;
    lease: LeaseHolder | null;
  },
): OrderRow {
  const { snapshot } = order;
  const { removedAs } = about;
  const { subtotal, tax, total } = snapshot.totals;
  return {
    posReference: order.posReference,
    version: removedAs?.version ?? order.version,
    status: snapshot.status,
    removed: removedAs !== undefined,
    orderType: snapshot.orderType,
    tableId: order.tableId,
    checkNumber: snapshot.checkNumber ?? null,
    ticketNumber: snapshot.ticketNumber ?? null,
    customerName: snapshot.customerName ?? null,
    staffName: snapshot.staffName ?? null,
    guestCount: snapshot.guestCount,
    itemCount: snapshot.lines.filter((line) => line.voided !== true).length,
    totals: { subtotal, tax, total },
    createdAt: snapshot.createdAt,
    updatedAt: removedAs?.at ?? snapshot.updatedAt,
    origin: removedAs?.origin ?? order.terminalId,
    forward: about.forward,
    unappliedPayment: about.unappliedPayment,
    lease: about.lease,
  };
}
