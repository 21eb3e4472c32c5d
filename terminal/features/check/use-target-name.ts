import { useCheckTitles } from "../../lib/check-title.ts";
import { useTableNames } from "../../lib/table-names.ts";
import type { Target } from "./targets.ts";

/** How a guest would call it: the table, or the name on the check. */
export function useTargetName(): (target: Target) => string {
  const names = useTableNames();
  const titleOf = useCheckTitles();
  return (target) => (target.kind === "table" ? (names.get(target.tableId) ?? "") : titleOf(target.order.snapshot));
}
