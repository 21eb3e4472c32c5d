import {
  BootstrapAnswer,
  type BackOfficeProduct,
  type BackOfficeTax,
  type OrderType,
  type PaymentMethod,
} from "@comanda/protocol";
import { lineForProduct, type OrderLine } from "@comanda/terminal";

/** The data that a terminal loads from the back-office at its start: tables, products, taxes, payment methods. */
export interface Menu {
  tables: { id: number; name: string }[];
  products: BackOfficeProduct[];
  taxes: BackOfficeTax[];
  paymentMethods: PaymentMethod[];
  /** Returns a line with the taxes of the order type (default: dine-in). `lineForProduct` has more options. */
  line(product: BackOfficeProduct, lineId: string, quantity?: number, orderType?: OrderType): OrderLine;
}

export async function readMenu(backOfficeUrl: string, token: string): Promise<Menu> {
  const { config } = BootstrapAnswer.parse(await bootstrap(backOfficeUrl, token));
  return {
    tables: config.floors.flatMap((floor) => floor.tables),
    products: config.products,
    taxes: config.taxes,
    paymentMethods: config.paymentMethods,
    line: (product, lineId, quantity = 1, orderType = "dine_in") =>
      lineForProduct(product, config, { lineId, quantity, orderType }),
  };
}

async function bootstrap(url: string, token: string): Promise<unknown> {
  const response = await fetch(new URL("/pos-api/v1/bootstrap", url), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: "{}",
  });
  if (!response.ok) throw new Error(`the back-office answered ${response.status}: ${await response.text()}`);
  return response.json();
}
