import { useFormat } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useTerminal } from "./pos.ts";

/** Returns how long something has waited by the hub's clock, in short form; empty if `since` is null. */
export function useWait(since: string | null): string {
  const format = useFormat();
  const terminal = useTerminal();
  return useTextAt(() => (since === null ? "" : format.durationShort(terminal.now() - Date.parse(since))));
}
