import type { Terminal } from "@comanda/terminal";

/** What this device has that the hub does not: how many changes, and on which checks in a person's words. */
export interface WaitingWork {
  count: number;
  where: string[];
}

/** Null: nothing waits, neither for the hub nor for a decision. */
export function waitingWork(
  terminal: Pick<Terminal, "outbox" | "orders" | "conflicts">,
  tableNames: ReadonlyMap<number, string>,
): WaitingWork | null {
  const { pending } = terminal.outbox();
  if (pending === 0) return null;
  const refused = new Set(terminal.conflicts().flatMap(({ orders }) => orders.map(({ posReference }) => posReference)));
  const where = terminal
    .orders()
    .filter((order) => order.pending > 0 || refused.has(order.posReference))
    .map(({ tableId, snapshot }) => {
      const { customerName, ticketNumber } = snapshot;
      return (tableId === null ? undefined : tableNames.get(tableId)) ?? (customerName || (ticketNumber ?? ""));
    });
  return { count: pending, where: [...new Set(where)].filter((name) => name !== "") };
}
