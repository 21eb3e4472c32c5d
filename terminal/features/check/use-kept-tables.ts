import { useEffect } from "react";
import { useTerminal } from "../../lib/pos.ts";
import { keepTables } from "./keep-tables.ts";

/** Keeps the tables that are chosen here, each while it is. */
export function useKeptTables(tableIds: readonly number[]): void {
  const terminal = useTerminal();
  const chosen = tableIds.join(" ");
  useEffect(() => {
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    void keepTables(terminal, chosen === "" ? [] : chosen.split(" ").map(Number), end);
    return letGo;
  }, [terminal, chosen]);
}
