import {
  BackOfficeModifier,
  PaymentMethodType,
  type BackOfficeCategory,
  type BackOfficeProduct,
  type BackOfficeTax,
  type PaymentMethod,
} from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import { z } from "zod";
import type { Db } from "../db/open.ts";

/** Products, taxes and payment methods. */
export function createCatalog(db: Db) {
  const selectTaxes = db.prepare<[], { id: number; name: string; rate: number; included: number; order_types: string }>(
    "SELECT id, name, rate, included, order_types FROM tax ORDER BY id",
  );
  const selectCategories = db.prepare<[], BackOfficeCategory>("SELECT id, name FROM category ORDER BY id");
  const selectProducts = db.prepare<
    [],
    { id: number; name: string; cents: number; categoryId: number; taxes: string; modifiers: string }
  >(`
    SELECT id, name, price_cents AS cents, category_id AS categoryId, tax_ids AS taxes, modifiers
    FROM product ORDER BY id`);
  const selectMethods = db.prepare<[], { id: number; name: string; type: string }>(
    "SELECT id, name, type FROM payment_method ORDER BY id",
  );

  const setPrice = db.prepare("UPDATE product SET price_cents = ? WHERE id = ?");

  function paymentMethods(): PaymentMethod[] {
    return selectMethods.all().map((method) => ({ ...method, type: PaymentMethodType.parse(method.type) }));
  }
  return {
    /** Returns false if there is no such product. */
    setPrice: (productId: number, cents: number): boolean => setPrice.run(cents, productId).changes === 1,

    taxes: (): BackOfficeTax[] =>
      selectTaxes.all().map(({ included, order_types, ...tax }) => ({
        ...tax,
        included: included === 1,
        orderTypes: z.array(z.string()).parse(JSON.parse(order_types)),
      })),

    categories: (): BackOfficeCategory[] => selectCategories.all(),

    products: (): BackOfficeProduct[] =>
      selectProducts.all().map(({ cents, taxes, modifiers, ...product }) => ({
        ...product,
        price: fromCents(cents),
        taxIds: z.array(z.int()).parse(JSON.parse(taxes)),
        modifiers: z.array(BackOfficeModifier).parse(JSON.parse(modifiers)),
      })),

    paymentMethods,
    /** Ids of the payment methods on credit. */
    creditMethods: (): Set<string> =>
      new Set(paymentMethods().flatMap(({ id, type }) => (type === "pay_later" ? [String(id)] : []))),
  };
}
