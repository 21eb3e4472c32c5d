import type { OperatorTerminal, StreamEvent, TerminalList } from "@comanda/protocol";
import { hubCache, hubKey } from "../../lib/hub.ts";

/** Puts changed terminals into the list. */
export function applyToTerminals(events: readonly StreamEvent[]): void {
  const changed = new Map<string, OperatorTerminal>();
  for (const event of events) if (event.type === "terminal") changed.set(event.terminal.terminalId, event.terminal);
  if (changed.size === 0) return;
  hubCache.setQueryData<TerminalList>(hubKey("terminals"), (list) => {
    if (list === undefined) return undefined;
    const known = list.terminals.map((terminal) => {
      const next = changed.get(terminal.terminalId);
      changed.delete(terminal.terminalId);
      return next ?? terminal;
    });
    return { terminals: [...known, ...changed.values()] };
  });
}
