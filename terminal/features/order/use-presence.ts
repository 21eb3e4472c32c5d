import { useEffect } from "react";
import { useTerminal } from "../../lib/pos.ts";

/** Tells the other terminals which check is open here, or at which table one begins, while this is shown. */
export function usePresence(posReference: string | undefined, tableId: number | null): void {
  const terminal = useTerminal();
  useEffect(() => {
    terminal.setPresence(posReference !== undefined ? { posReference } : tableId !== null ? { tableId } : null);
    return () => terminal.setPresence(null);
  }, [terminal, posReference, tableId]);
}
