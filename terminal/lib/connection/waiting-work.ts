import type { Snapshot } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";

/** Unsent or undecided changes of this device: their number, and the titles of their checks. */
export interface WaitingWork {
  count: number;
  where: string[];
}

/** Returns the waiting changes, or null if none wait for the hub or for a decision. */
export function waitingWork(
  terminal: Pick<Terminal, "outbox" | "orders" | "conflicts">,
  titleOf: (check: Snapshot) => string,
): WaitingWork | null {
  const { pending } = terminal.outbox();
  if (pending === 0) return null;
  const where = waitingChecks(terminal).map(({ snapshot }) => titleOf(snapshot));
  return { count: pending, where: [...new Set(where)] };
}

/** Returns the checks of this device that have changes waiting for the hub or for a decision. */
export function waitingChecks(terminal: Pick<Terminal, "orders" | "conflicts">): ReturnType<Terminal["orders"]> {
  const isRefused = (reference: string) =>
    terminal.conflicts().some(({ orders }) => orders.some(({ posReference }) => posReference === reference));
  return terminal.orders().filter(({ pending, posReference }) => pending > 0 || isRefused(posReference));
}
