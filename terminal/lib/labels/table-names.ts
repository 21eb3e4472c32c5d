import { useMemo } from "react";
import { useLive } from "../connection/pos.ts";

/** Returns the name on each table, by record id. */
export function useTableNames(): ReadonlyMap<number, string> {
  const floors = useLive("floors");
  return useMemo(
    () => new Map((floors?.floors ?? []).flatMap(({ tables }) => tables.map(({ id, name }) => [id, name] as const))),
    [floors],
  );
}
