import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";

/** The number, customer and total of a check, to distinguish the checks of one table. */
export function CheckName({ check: { snapshot } }: { check: LocalOrder }) {
  const format = useFormat();
  const name = [snapshot.checkNumber, snapshot.customerName].filter(Boolean).join(" ") || "·";
  return `${name} · ${format.money(snapshot.totals.total)}`;
}
