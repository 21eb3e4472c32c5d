import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue } from "../../components/labels.ts";

/** What a product is called; what belongs to no dish has a name of its own. */
export function useDishName(): (productId: string | null) => string {
  const { t } = useTranslation("today");
  const { products } = useCatalogue();
  return (productId) => (productId === null ? t("noDish") : (products[productId] ?? t("anyDish", { id: productId })));
}
