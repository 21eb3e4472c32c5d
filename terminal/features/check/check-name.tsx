import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";

/** What tells a check from the others of its table: whose it is, or its number, and what it comes to. */
export function CheckName({ check: { snapshot } }: { check: LocalOrder }) {
  const format = useFormat();
  return `${snapshot.customerName || (snapshot.checkNumber ?? "·")} · ${format.money(snapshot.totals.total)}`;
}
