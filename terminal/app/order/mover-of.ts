import type { LocalOrder } from "@comanda/terminal";

type Seen = Pick<LocalOrder, "posReference" | "tableId" | "version" | "origin">;

/**
 * Who moved a check that was at another table when it was `seen` last: the terminal, null where others have changed the check
 * since, so that nobody knows; `self` where there is nothing to be said: this device did, or tables that it joined were parted.
 */
export function moverOf(
  moved: Seen,
  seen: Seen | undefined,
  own: string | undefined,
): "self" | { terminalId: string | null } {
  if (seen?.posReference !== moved.posReference) return { terminalId: null };
  if (moved.version === seen.version || moved.tableId === seen.tableId) return "self";
  if (moved.version !== seen.version + 1) return { terminalId: null };
  return moved.origin === own ? "self" : { terminalId: moved.origin };
}
