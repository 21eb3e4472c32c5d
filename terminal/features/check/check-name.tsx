import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";

/** What tells a check from the others of its table: its number, whose it is, and what it comes to. */
export function CheckName({ check: { snapshot } }: { check: LocalOrder }) {
  const format = useFormat();
  const name = [snapshot.checkNumber, snapshot.customerName].filter(Boolean).join(" ") || "·";
  return `${name} · ${format.money(snapshot.totals.total)}`;
}
