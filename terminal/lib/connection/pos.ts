import type { Terminal } from "@comanda/terminal";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Live, LiveTerminal } from "./live-terminal.ts";

export const PosContext = createContext<LiveTerminal | null>(null);

export function usePos(): LiveTerminal {
  const pos = useContext(PosContext);
  if (pos === null) throw new Error("there is no terminal around this component");
  return pos;
}

export function useTerminal(): Terminal {
  return usePos().terminal;
}

/** Returns a live part of the terminal's state: `useLive("orders")`. */
export function useLive<Name extends LivePart>(name: Name): ReturnType<LiveTerminal[Name]["get"]> {
  const part: Live<unknown> = usePos()[name];
  return useSyncExternalStore(part.subscribe, part.get) as ReturnType<LiveTerminal[Name]["get"]>;
}

type LivePart = {
  [Name in keyof LiveTerminal]: LiveTerminal[Name] extends Live<unknown> ? Name : never;
}[keyof LiveTerminal];
