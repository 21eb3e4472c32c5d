import type { BackOfficeProduct, OrderType } from "@comanda/protocol";
import { extrasOf, priceLine, type LineDiscount, type LineToPrice, type PaymentMethods } from "@comanda/rules";
import type { PriceList } from "./line-for-product.ts";
import type { OrderLine } from "./order-content.ts";

/** The price list with the products, as in the menu: they say which taxes a line bears under which order type. */
export interface PricedMenu extends PriceList {
  products: readonly Pick<BackOfficeProduct, "id" | "taxIds">[];
  /** They say which payments are cash, and so give change. */
  paymentMethods?: PaymentMethods;
}

/** The line at its own unit price, with the taxes of the order type; one without a unit price stays as it is. */
export function repriceLine(line: OrderLine, orderType: OrderType, menu: PricedMenu): OrderLine {
  const toPrice = lineToPrice(line, menu);
  if (toPrice === null) return line;
  const { total, tax, taxes } = priceLine(toPrice, { orderType, rounding: menu.rounding });
  return { ...line, total, taxAmount: tax, taxIds: taxes.map(({ id }) => String(id)) };
}

/**
 * What prices the line, with all taxes of its product; of a product that left the menu, those that the line bore. Null
 * without a unit price.
 */
export function lineToPrice(line: OrderLine, menu: PricedMenu): (LineToPrice & { voided: boolean | undefined }) | null {
  const { unitPrice, quantity, voidedQuantity, voided } = line;
  if (unitPrice === undefined) return null;
  const product = menu.products.find(({ id }) => String(id) === String(line.productId));
  const taxIds = new Set((product?.taxIds ?? line.taxIds ?? []).map(String));
  return {
    unitPrice,
    quantity,
    voidedQuantity,
    voided,
    modifiers: extrasOf(line),
    discount: line["discount"] as LineDiscount | undefined,
    taxes: menu.taxes.filter(({ id }) => taxIds.has(String(id))),
  };
}
