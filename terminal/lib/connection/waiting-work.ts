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
  const where = waitingChecks(terminal).map(({ tableId, snapshot }) => {
    const { customerName, ticketNumber } = snapshot;
    return (tableId === null ? undefined : tableNames.get(tableId)) ?? (customerName || (ticketNumber ?? ""));
  });
  return { count: pending, where: [...new Set(where)].filter(Boolean) };
}

/** The checks as they are here, of which something waits for the hub or for a decision. */
export function waitingChecks(terminal: Pick<Terminal, "orders" | "conflicts">): ReturnType<Terminal["orders"]> {
  const isRefused = (reference: string) =>
    terminal.conflicts().some(({ orders }) => orders.some(({ posReference }) => posReference === reference));
  return terminal.orders().filter(({ pending, posReference }) => pending > 0 || isRefused(posReference));
}
