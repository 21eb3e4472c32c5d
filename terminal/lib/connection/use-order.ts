import type { LocalOrder } from "@comanda/terminal";
import { useSyncExternalStore } from "react";
import { usePos } from "./pos.ts";

/** Returns one check as on this device. Renders again only when this check changes. */
export function useOrder(posReference: string): LocalOrder | undefined {
  const { orders, terminal } = usePos();
  return useSyncExternalStore(orders.subscribe, () => terminal.order(posReference));
}
