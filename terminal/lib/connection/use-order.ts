import type { LocalOrder } from "@comanda/terminal";
import { useSyncExternalStore } from "react";
import { usePos } from "./pos.ts";

/** One check as this device sees it; what shows it is drawn again only when this one changes. */
export function useOrder(posReference: string): LocalOrder | undefined {
  const { orders, terminal } = usePos();
  return useSyncExternalStore(orders.subscribe, () => terminal.order(posReference));
}
