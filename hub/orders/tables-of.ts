import type { Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";

type OfTables = Pick<Snapshot, "tableId" | "tableIds">;

/** The tables that a check holds while it is active, the main one first. */
export function tablesOf({ tableId, tableIds }: OfTables): number[] {
  if (tableId === null) return [];
  return tableIds != null && tableIds[0] === tableId ? tableIds : [tableId];
}

export function isJoined(snapshot: OfTables | undefined): boolean {
  return snapshot !== undefined && tablesOf(snapshot).length > 1;
}

/**
 * The tables of a check after a terminal's write; what the terminal leaves out stays. A check that moves to another table
 * leaves those that were joined, unless it names its new ones.
 */
export function requestedTables(
  input: Pick<TerminalSnapshot, "tableId" | "tableIds">,
  before: OfTables | undefined,
): OfTables {
  const stored = before?.tableIds ?? [];
  const named = input.tableIds === undefined ? stored : (input.tableIds ?? []);
  const former = before?.tableId ?? null;
  const [main] = named;
  if (main !== undefined && named.join() !== stored.join()) {
    // A terminal that joins tables may still hand back the table that the check had.
    const isKnown = input.tableId === undefined || input.tableId === main || input.tableId === before?.tableId;
    if (isKnown) return { tableId: main, tableIds: named };
    throw new HubError("VALIDATION_ERROR", `snapshot.tableIds: ${main} comes first, but tableId is ${input.tableId}`);
  }
  const tableId = input.tableId === undefined ? former : input.tableId;
  return main === tableId ? { tableId, tableIds: named } : { tableId };
}
