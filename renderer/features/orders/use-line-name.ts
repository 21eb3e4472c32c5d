import type { StoredLine } from "@comanda/protocol";
import { ownName } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue } from "../../components/labels.ts";

/** Returns a function that names a line of a check by the menu, or else by the line itself. For managers only. */
export function useLineName(): (line: StoredLine) => string {
  const { t } = useTranslation("orders");
  const { products } = useCatalogue();
  return (line) => {
    const menuName = line.productId === undefined ? undefined : products[line.productId];
    return menuName ?? ownName(line) ?? t("aLine");
  };
}
