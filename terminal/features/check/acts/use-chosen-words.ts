import { useFormat } from "@comanda/ui/format.ts";
import type { ChosenLine } from "./line-acts.ts";
import { nameOf } from "../../../checks/check-lines.ts";

/** Names each chosen line, so that nobody voids or moves what they do not see: "2 Mofongo, 1 Café". */
export function useChosenWords(): (chosen: readonly ChosenLine[]) => string {
  const format = useFormat();
  return (chosen) => format.list(chosen.map(({ line, quantity }) => `${format.number(quantity)} ${nameOf(line)}`));
}
