import { BootstrapAnswer, type BackOfficeProduct, type BackOfficeTax } from "@comanda/protocol";
import type { OrderLine } from "@comanda/terminal";
import { askBackOffice } from "./ask-back-office.ts";

/** What the back-office tells a terminal at its start: tables, dishes, ways to pay. */
export interface Menu {
  tables: { id: number; name: string }[];
  /** Any dish by number, with its taxes worked out. */
  dish(number: number, lineId: string, quantity?: number): { name: string; line: OrderLine };
  cash: number;
  card: number;
}

export async function readMenu(backOfficeUrl: string, token: string): Promise<Menu> {
  const { config } = BootstrapAnswer.parse(await askBackOffice(backOfficeUrl, token, "bootstrap", {}));
  const method = (type: string) => config.paymentMethods.find((each) => each.type === type)?.id ?? 1;
  return {
    tables: config.floors.flatMap((floor) => floor.tables),
    dish(number, lineId, quantity = 1) {
      const product = config.products[number % config.products.length];
      if (product === undefined) throw new Error("the back-office has no products");
      return { name: product.name, line: lineFor(product, config.taxes, lineId, quantity) };
    },
    cash: method("cash"),
    card: method("bank"),
  };
}

/** The hub has no tax engine: the terminal works the amounts out, in cents. */
function lineFor(product: BackOfficeProduct, taxes: BackOfficeTax[], id: string, quantity: number): OrderLine {
  const due = taxes.filter((tax) => product.taxIds.includes(tax.id) && tax.orderTypes.includes("dine_in"));
  const included = due.filter((tax) => tax.included).reduce((sum, tax) => sum + tax.rate, 0);
  const net = product.price / (1 + included / 100);
  const rate = due.reduce((sum, tax) => sum + tax.rate, 0);
  const taxAmount = Math.round(net * quantity * rate) / 100;
  return {
    id,
    productId: String(product.id),
    name: product.name,
    quantity,
    unitPrice: product.price,
    total: Math.round(net * quantity * 100 + taxAmount * 100) / 100,
    taxIds: due.map((tax) => String(tax.id)),
    taxAmount,
  };
}
