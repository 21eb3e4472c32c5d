import type { BackOfficeTax, Snapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { priceLine } from "./price-line.ts";
import { taxesByName } from "./taxes-by-name.ts";

const anywhere = ["dine_in", "takeout", "delivery"];
const itbis: BackOfficeTax = { id: 1, name: "ITBIS 18 %", rate: 18, included: false, orderTypes: anywhere };
const legalTip: BackOfficeTax = {
  id: 2,
  name: "Propina legal 10 %",
  rate: 10,
  included: false,
  orderTypes: ["dine_in"],
};
const exempt: BackOfficeTax = { id: 3, name: "Exento", rate: 0, included: false, orderTypes: anywhere };
const menu = { taxes: [itbis, legalTip, exempt], rounding: "line" as const };

function dish(price: number, orderType: "dine_in" | "takeout", quantity = 1) {
  const taxes = [itbis, legalTip];
  const { total, tax, taxes: charged } = priceLine({ unitPrice: price, quantity, taxes }, { orderType });
  const taxIds = charged.map(({ id }) => String(id));
  return { id: `l${price}`, productId: 101, quantity, unitPrice: price, total, taxAmount: tax, taxIds };
}

function taxesOf(lines: object[], orderType: Snapshot["orderType"] = "dine_in") {
  return taxesByName({ lines: lines as Snapshot["lines"], orderType }, menu, "Otros impuestos");
}

describe("taxes of a check", () => {
  it("taxes are listed by name, the legal tip only where it is charged [TOUCH-78]", () => {
    expect(taxesOf([dish(225, "dine_in"), dish(195, "dine_in", 2)])).toEqual([
      { name: "ITBIS 18 %", cents: 110_70 },
      { name: "Propina legal 10 %", cents: 61_50 },
    ]);
    expect(taxesOf([dish(225, "takeout")], "takeout")).toEqual([{ name: "ITBIS 18 %", cents: 40_50 }]);
  });

  it("listed taxes add up to those of the lines, whichever program priced them [TOUCH-78]", () => {
    const shared = { ...dish(225, "dine_in"), quantity: 0.5, total: 144.01, taxAmount: 31.51 };
    const foreign = { id: "x", quantity: 1, total: 100, taxAmount: 15.25, taxIds: ["99"] };
    const voided = { ...dish(500, "dine_in"), voided: true };
    const taxes = taxesOf([shared, foreign, voided, { id: "y", quantity: 1, total: 60, taxIds: [3], taxAmount: 0 }]);
    expect(taxes.reduce((sum, { cents }) => sum + cents, 0)).toBe(31_51 + 15_25);
    expect(taxes.at(-1)).toEqual({ name: "Otros impuestos", cents: 15_25 });
  });
});
