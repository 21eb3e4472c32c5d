import { hubLimits } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import type { TableStore } from "./table-store.ts";

/** The tables of the floor plan; null while the hub has no plan to go by. */
export type PlannedTables = () => ReadonlySet<number> | null;

/**
 * Refuses a table that the floor plan does not have where the hub keeps many of those already: every terminal is sent their
 * states. A few are taken, because the plan may be older than the table.
 */
export function requireFewUnplanned(
  { plannedTables, tables }: { plannedTables: PlannedTables; tables: TableStore },
  tableIds: readonly number[],
  now: number,
): void {
  const known = plannedTables();
  const unknown = known === null ? [] : tableIds.filter((id) => !known.has(id) && tables.get(id, now) === null);
  const [first] = unknown;
  if (known === null || first === undefined) return;
  const kept = tables.list(now).filter(({ tableId }) => !known.has(tableId)).length;
  if (kept + unknown.length > hubLimits.unplannedTables) {
    throw new HubError("UNKNOWN_TABLE", `tableId: the floor plan has no table ${first}`);
  }
}
