import type { Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import type { ServiceState } from "../state.ts";
import type { CheckOnTable } from "./check-on-table.ts";
import type { CheckRefusal } from "./check-refusal.ts";

type OfTables = Pick<Snapshot, "tableId" | "tableIds">;

/** The tables that a check holds while it is active, the main one first. */
export function tablesOf({ tableId, tableIds }: OfTables): number[] {
  if (tableId === null) return [];
  return tableIds != null && tableIds[0] === tableId ? tableIds : [tableId];
}

/**
 * The tables of a check after a terminal's write; what the terminal leaves out stays. A check that moves to another table
 * leaves those that were joined, unless it names its new ones.
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
    // A terminal that joins tables may still hand back the table that the check had.
    const isKnown = input.tableId === undefined || input.tableId === main || input.tableId === before?.tableId;
    if (isKnown) return { tableId: main, tableIds: named };
    return { refusal: { code: "MAIN_TABLE_FIRST", values: { main, tableId: input.tableId ?? null } } };
  }
  const tableId = input.tableId === undefined ? former : input.tableId;
  return main === tableId ? { tableId, tableIds: named } : { tableId };
}

/** The number of a new check on its tables, one above the highest there; null for one without a table. */
export function nextCheckNumber(state: Pick<ServiceState, "checksOn">, tables: OfTables): number | null {
  if (tables.tableId === null) return null;
  const others = tablesOf(tables).flatMap(state.checksOn);
  return Math.max(0, ...others.map(({ checkNumber }) => checkNumber ?? 0)) + 1;
}

/** Why a new check takes no tables that have one, unless they are in `shared`; null when it may. */
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

/** Who is on the tables while checks are written one after the other. */
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
    /** A check reads so now; null: it is gone. */
    write: (posReference: string, snapshot: Snapshot | null): void => void written.set(posReference, snapshot),
  };
}
