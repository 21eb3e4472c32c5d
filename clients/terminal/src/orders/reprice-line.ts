import type { BackOfficeProduct, OrderType } from "@comanda/protocol";
import { extrasOf, priceLine, type LineDiscount, type LineToPrice, type PaymentMethods } from "@comanda/rules";
import type { PriceList } from "./line-for-product.ts";
import type { OrderLine } from "./order-content.ts";

/** A price list with the products, which determine the taxes of a line. */
export interface PricedMenu extends PriceList {
  products: readonly Pick<BackOfficeProduct, "id" | "taxIds">[];
  /** Determine which payments are cash, and so give change. */
  paymentMethods?: PaymentMethods;
}

/** Prices a line by its own unit price, with the taxes of the order type. A line without a unit price stays unchanged. */
export function repriceLine(line: OrderLine, orderType: OrderType, menu: PricedMenu): OrderLine {
  const toPrice = lineToPrice(line, menu);
  if (toPrice === null) return line;
  const { total, tax, taxes } = priceLine(toPrice, { orderType, rounding: menu.rounding });
  return { ...line, total, taxAmount: tax, taxIds: taxes.map(({ id }) => String(id)) };
}

/**
 * Returns the data to price a line with, including all taxes of its product, or the line's own taxes if the product left the
 * menu. Returns null without a unit price.
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
