import type { Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import type { ServiceState } from "../state.ts";
import type { CheckOnTable } from "./check-on-table.ts";
import type { CheckRefusal } from "./check-refusal.ts";

type OfTables = Pick<Snapshot, "tableId" | "tableIds">;

/** Returns the tables that a check occupies while it is active, the main one first. */
export function tablesOf({ tableId, tableIds }: OfTables): number[] {
  if (tableId === null) return [];
  return tableIds != null && tableIds[0] === tableId ? tableIds : [tableId];
}

/**
 * Returns the tables of a check after a terminal's write; fields left out stay unchanged. A check that moves to another table
 * loses its joined tables, unless the write names new ones.
 */
export function requestedTables(
  input: Pick<TerminalSnapshot, "tableId" | "tableIds">,
  before: OfTables | undefined,
): OfTables | { refusal: CheckRefusal } {
  const stored = before?.tableIds ?? [];
  const named = input.tableIds === undefined ? stored : (input.tableIds ?? []);
  const former = before?.tableId ?? null;
  const [main] = named;
  if (main !== undefined && named.join() !== stored.join()) {
    // A terminal that joins tables may still send the check's previous table.
    const isAllowed = input.tableId === undefined || input.tableId === main || input.tableId === before?.tableId;
    if (isAllowed) return { tableId: main, tableIds: named };
    return { refusal: { code: "MAIN_TABLE_FIRST", values: { main, tableId: input.tableId ?? null } } };
  }
  const tableId = input.tableId === undefined ? former : input.tableId;
  return main === tableId ? { tableId, tableIds: named } : { tableId };
}

/** Returns the number of a new check: one above the highest on its tables; null for a check without a table. */
export function nextCheckNumber(state: Pick<ServiceState, "checksOn">, tables: OfTables): number | null {
  if (tables.tableId === null) return null;
  const others = tablesOf(tables).flatMap(state.checksOn);
  return Math.max(0, ...others.map(({ checkNumber }) => checkNumber ?? 0)) + 1;
}

/** Returns why a new check cannot use these tables: one has a check and is not in `shared`. Null if it can. */
export function refusalOfTables(
  state: Pick<ServiceState, "checksOn">,
  tableIds: readonly number[],
  shared: ReadonlySet<number>,
): CheckRefusal | null {
  for (const tableId of tableIds) {
    const existing = shared.has(tableId) ? undefined : state.checksOn(tableId)[0];
    if (existing !== undefined) return { code: "TABLE_TAKEN", values: { tableId, ...existing } };
  }
  return null;
}

/** Returns the checks on each table while several checks are written one after another. */
export function tablesDuring(state: Pick<ServiceState, "checksOn">) {
  const written = new Map<string, Snapshot | null>();
  return {
    checksOn(tableId: number): CheckOnTable[] {
      const others = state.checksOn(tableId).filter(({ posReference }) => !written.has(posReference));
      const own = [...written.values()].flatMap((snapshot) => {
        if (snapshot === null || !isActive(snapshot.status) || !tablesOf(snapshot).includes(tableId)) return [];
        return { posReference: snapshot.posReference, checkNumber: snapshot.checkNumber ?? null };
      });
      return [...others, ...own];
    },
    /** Records the new state of a check; null if it is removed. */
    write: (posReference: string, snapshot: Snapshot | null): void => void written.set(posReference, snapshot),
  };
}
