import type { BackOfficeCategory, BackOfficeProduct, BackOfficeTax, PaymentMethod } from "@comanda/protocol";
import { PaymentMethodType } from "@comanda/protocol";
import { z } from "zod";
import type { Db } from "../db/open.ts";
import { fromCents } from "../cents.ts";

/** What is sold and how it is paid. */
export function createCatalog(db: Db) {
  const selectTaxes = db.prepare<[], { id: number; name: string; rate: number; included: number; order_types: string }>(
    "SELECT id, name, rate, included, order_types FROM tax ORDER BY id",
  );
  const selectCategories = db.prepare<[], BackOfficeCategory>("SELECT id, name FROM category ORDER BY id");
  const selectProducts = db.prepare<
    [],
    { id: number; name: string; price_cents: number; category_id: number; tax_ids: string }
  >("SELECT id, name, price_cents, category_id, tax_ids FROM product ORDER BY id");
  const selectMethods = db.prepare<[], { id: number; name: string; type: string }>(
    "SELECT id, name, type FROM payment_method ORDER BY id",
  );

  return {
    taxes: (): BackOfficeTax[] =>
      selectTaxes.all().map(({ id, name, rate, included, order_types }) => ({
        id,
        name,
        rate,
        included: included === 1,
        orderTypes: z.array(z.string()).parse(JSON.parse(order_types)),
      })),

    categories: (): BackOfficeCategory[] => selectCategories.all(),

    products: (): BackOfficeProduct[] =>
      selectProducts.all().map(({ id, name, price_cents, category_id, tax_ids }) => ({
        id,
        name,
        price: fromCents(price_cents),
        categoryId: category_id,
        taxIds: z.array(z.int()).parse(JSON.parse(tax_ids)),
      })),

    paymentMethods: (): PaymentMethod[] =>
      selectMethods.all().map(({ id, name, type }) => ({ id, name, type: PaymentMethodType.parse(type) })),
  };
}
