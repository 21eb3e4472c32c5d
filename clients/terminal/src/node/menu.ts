import { BootstrapAnswer, type BackOfficeProduct, type BackOfficeTax, type PaymentMethod } from "@comanda/protocol";
import type { OrderLine } from "../orders/order-content.ts";
import { callBackOffice } from "./call-back-office.ts";

/** What a terminal loads from the back-office at its start: tables, products, payment methods. */
export interface Menu {
  tables: { id: number; name: string }[];
  products: BackOfficeProduct[];
  paymentMethods: PaymentMethod[];
  /** A line for a product with its taxes: the hub has no tax engine. */
  line(product: BackOfficeProduct, lineId: string, quantity?: number): OrderLine;
}

export async function readMenu(backOfficeUrl: string, token: string): Promise<Menu> {
  const { config } = BootstrapAnswer.parse(await callBackOffice(backOfficeUrl, token, "bootstrap", {}));
  return {
    tables: config.floors.flatMap((floor) => floor.tables),
    products: config.products,
    paymentMethods: config.paymentMethods,
    line: (product, lineId, quantity = 1) => lineFor(product, config.taxes, lineId, quantity),
  };
}

/** Adds the dine-in taxes that the price does not include; amounts are rounded to cents. */
function lineFor(product: BackOfficeProduct, taxes: BackOfficeTax[], id: string, quantity: number): OrderLine {
  const due = taxes.filter((tax) => product.taxIds.includes(tax.id) && tax.orderTypes.includes("dine_in"));
  const included = due.filter((tax) => tax.included).reduce((sum, tax) => sum + tax.rate, 0);
  const net = (product.price * quantity) / (1 + included / 100);
  const rate = due.reduce((sum, tax) => sum + tax.rate, 0);
  const taxCents = Math.round(net * rate);
  return {
    id,
    productId: String(product.id),
    name: product.name,
    quantity,
    unitPrice: product.price,
    total: (Math.round(net * 100) + taxCents) / 100,
    taxIds: due.map((tax) => String(tax.id)),
    taxAmount: taxCents / 100,
  };
}
