import { useTranslation } from "@comanda/ui/translation.ts";
import { useCatalogue } from "../../components/labels.ts";

/** Returns a function that names a product, or the sales that belong to no dish. */
export function useDishName(): (productId: string | null) => string {
  const { t } = useTranslation("today");
  const { products } = useCatalogue();
  return (productId) => (productId === null ? t("noDish") : (products[productId] ?? t("anyDish", { id: productId })));
}
