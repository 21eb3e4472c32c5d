import { useFormat } from "@comanda/ui/format.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import type { ChosenLine } from "./line-acts.ts";
import { dishName } from "../../../checks/check-lines.ts";

/** Returns a function that lists the chosen lines, so that users see what they void or move: "2 Mofongo, 1 Café". */
export function useSelectionText(): (chosen: readonly ChosenLine[]) => string {
  const format = useFormat();
  const menu = useMenu();
  return (chosen) =>
    format.list(chosen.map(({ line, quantity }) => `${format.quantity(quantity)} ${dishName(line, menu)}`));
}
