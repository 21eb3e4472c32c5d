import { useFormat } from "@comanda/ui/format.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import type { ChosenLine } from "./line-acts.ts";
import { dishName } from "../../../checks/check-lines.ts";

/** Names each chosen line, so that nobody voids or moves what they do not see: "2 Mofongo, 1 Café". */
export function useChosenWords(): (chosen: readonly ChosenLine[]) => string {
  const format = useFormat();
  const menu = useMenu();
  return (chosen) =>
    format.list(chosen.map(({ line, quantity }) => `${format.number(quantity)} ${dishName(line, menu)}`));
}
