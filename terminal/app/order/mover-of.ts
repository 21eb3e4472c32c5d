import type { LocalOrder } from "@comanda/terminal";

type Seen = Pick<LocalOrder, "posReference" | "tableId" | "version" | "origin">;

/**
 * Returns the terminal that moved a check since it was last `seen` at another table; null if unknown because the check has
 * changed more than once. Returns `self` if no notice is due: this device moved it, or its joined tables were parted.
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
