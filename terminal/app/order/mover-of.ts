import type { LocalOrder } from "@comanda/terminal";

type CheckPlace = Pick<LocalOrder, "posReference" | "tableId" | "version" | "origin">;

/**
 * Returns the terminal that moved a check since `previous`, when it was last seen elsewhere; null if unknown because the check has
 * changed more than once. Returns `self` if no notice is due: this device moved it, or its joined tables were parted.
 */
export function moverOf(
  moved: CheckPlace,
  previous: CheckPlace | undefined,
  own: string | undefined,
): "self" | { terminalId: string | null } {
  if (previous?.posReference !== moved.posReference) return { terminalId: null };
  if (moved.version === previous.version || moved.tableId === previous.tableId) return "self";
  if (moved.version !== previous.version + 1) return { terminalId: null };
  return moved.origin === own ? "self" : { terminalId: moved.origin };
}
