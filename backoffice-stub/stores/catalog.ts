import { BackOfficeModifier, type BackOfficeCategory, type BackOfficeProduct } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { z } from "zod";
import type { Db } from "../db/open.ts";

/** Products and their categories. */
export function createCatalog(db: Db) {
  const selectCategories = db.prepare<[], BackOfficeCategory>("SELECT id, name FROM category ORDER BY id");
  const selectProducts = db.prepare<
    [],
    { id: number; name: string; cents: number; categoryId: number; taxes: string; modifiers: string }
  >(`
    SELECT id, name, price_cents AS cents, category_id AS categoryId, tax_ids AS taxes, modifiers
    FROM product ORDER BY id`);
  const setPrice = db.prepare("UPDATE product SET price_cents = ? WHERE id = ?");

  return {
    /** Returns false if there is no such product. */
    setPrice: (productId: number, cents: number): boolean => setPrice.run(cents, productId).changes === 1,

    categories: (): BackOfficeCategory[] => selectCategories.all(),

    products: (): BackOfficeProduct[] =>
      selectProducts.all().map(({ cents, taxes, modifiers, ...product }) => ({
        ...product,
        price: fromCents(cents),
        taxIds: z.array(z.int()).parse(JSON.parse(taxes)),
        modifiers: z.array(BackOfficeModifier).parse(JSON.parse(modifiers)),
      })),
  };
}
