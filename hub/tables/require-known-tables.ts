import { hubLimits } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { TableStore } from "./table-store.ts";

/** The tables of the floor plan, or null while the hub has no plan. */
export type PlannedTables = () => ReadonlySet<number> | null;

/**
 * Rejects tables missing from the floor plan once the hub keeps many of them, because every terminal receives their states. A
 * few are accepted, as the plan may be older than the table.
 */
export function requireFewUnplanned(
  { plannedTables, tables }: { plannedTables: PlannedTables; tables: TableStore },
  tableIds: readonly number[],
  now: number,
): void {
  const planned = plannedTables();
  const unknown = planned === null ? [] : tableIds.filter((id) => !planned.has(id) && tables.get(id, now) === null);
  const [first] = unknown;
  if (planned === null || first === undefined) return;
  const unplanned = tables.list(now).filter(({ tableId }) => !planned.has(tableId)).length;
  if (unplanned + unknown.length > hubLimits.unplannedTables) {
    throw new HubError("UNKNOWN_TABLE", `tableId: the floor plan has no table ${first}`);
  }
}
