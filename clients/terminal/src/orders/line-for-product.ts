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

/** What a line is priced by: parts of the back-office's configuration, as in its `config`. */
export interface PriceList {
  taxes: readonly BackOfficeTax[];
  rounding?: Rounding | undefined;
}

export interface ChosenProduct {
  lineId: string;
  /** The taxes follow from it: the legal tip on `dine_in` only. */
  orderType: OrderType;
  /** 1 if absent; counts to three decimals. */
  quantity?: number;
  modifiers?: readonly BackOfficeModifier[];
  discount?: LineDiscount;
}

/** A line for a product of the menu, with its total and its tax. RangeError for a number that is no amount. */
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
