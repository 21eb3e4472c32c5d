import type { StoredLine } from "@comanda/protocol";
import { ownName } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue } from "../../components/labels.ts";

/** What a line of a check is called: as the menu has it, else as the line itself says. For managers only. */
export function useLineName(): (line: StoredLine) => string {
  const { t } = useTranslation("orders");
  const { products } = useCatalogue();
  return (line) => {
    const known = line.productId === undefined ? undefined : products[line.productId];
    return known ?? ownName(line) ?? t("aLine");
  };
}
