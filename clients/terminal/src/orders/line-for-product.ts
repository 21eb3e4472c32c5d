import {
  oneLine,
  type BackOfficeModifier,
  type BackOfficeProduct,
  type BackOfficeTax,
  type OrderType,
  type Rounding,
} from "@comanda/protocol";
import { priceLine, type LineDiscount } from "@comanda/rules";
import type { OrderLine } from "./order-content.ts";

/** The taxes and rounding to price a line with, as in the back-office's `config`. */
export interface PriceList {
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

export interface ChosenProduct {
  lineId: string;
  /** Determines the taxes: the legal tip applies to `dine_in` only. */
  orderType: OrderType;
  /** 1 if absent; up to three decimals. */
  quantity?: number;
  modifiers?: readonly BackOfficeModifier[];
  discount?: LineDiscount;
}

/** Creates a line for a product of the menu, with total and tax. Throws RangeError for a number that is not an amount. */
export function lineForProduct(product: BackOfficeProduct, prices: PriceList, chosen: ChosenProduct): OrderLine {
  const { lineId, orderType, quantity = 1, modifiers = [], discount } = chosen;
  const taxes = prices.taxes.filter((tax) => product.taxIds.includes(tax.id));
  const {
    total,
    tax,
    taxes: charged,
  } = priceLine(
    { unitPrice: product.price, quantity, modifiers, discount, taxes },
    { orderType, rounding: prices.rounding },
  );
  return {
    id: lineId,
    productId: String(product.id),
    name: oneLine(product.name),
    categoryId: product.categoryId,
    quantity,
    unitPrice: product.price,
    ...(modifiers.length > 0 && { modifiers: modifiers.map((each) => ({ ...each, name: oneLine(each.name) })) }),
    ...(discount !== undefined && { discount }),
    total,
    taxIds: charged.map(({ id }) => String(id)),
    taxAmount: tax,
  };
}
