import { useCallback, useSyncExternalStore } from "react";
import { usePos } from "./pos.ts";

/** Whether the restaurant has tables. False only if its floors are known and empty, and no check is at a table. */
export function useHasTables(): boolean {
  const { floors, orders } = usePos();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [floors.subscribe(listener), orders.subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    [floors, orders],
  );
  return useSyncExternalStore(subscribe, () => {
    const read = floors.get()?.floors;
    if (read === undefined || read.some(({ tables }) => tables.length > 0)) return true;
    return orders.get().some(({ tableId }) => tableId !== null);
  });
}
