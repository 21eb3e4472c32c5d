import type { HqSales } from "@comanda/protocol/headquarters.ts";
import { expect, it } from "vitest";
import { salesCsv } from "./sales-csv.ts";

const sales: HqSales = {
  coverage: { asOf: "2026-11-27T12:00:00.000Z", restaurants: 1, current: 1, behind: [], holes: [] },
  totals: { checks: 3, guests: 7, paid: 1234.5, refunded: 18.2, discounts: 0, voids: 50 },
  hours: [{ hour: 20, checks: 3, paid: 1234.5 }],
  days: [],
  products: [
    { productId: "1", name: "=1+1", quantity: 2.5, amount: 1000 },
    { productId: "", name: "Propina", quantity: 1, amount: -10.5 },
  ],
  otherProducts: { count: 2, amount: 245 },
  restaurants: [{ id: "r1", name: "Baní, 2", checks: 3, paid: 1234.5 }],
};

const before: HqSales = {
  ...sales,
  restaurants: [
    { id: "r1", name: "Baní, 2", checks: 4, paid: 2000 },
    { id: "r2", name: "Moca", checks: 1, paid: 90.5 },
  ],
};

it("the CSV has sales as tables with plain numbers, and nothing that a spreadsheet would run [HQ-404, HQ-586]", () => {
  const translate = (key: string, values: { count?: number } = {}) => `${key}${values.count ?? ""}`;
  const text = salesCsv(sales, before, [["2026-11-26", "2026-11-27"]], translate);
  expect(text.replace("\uFEFF", "").split("\r\n")).toEqual([
    "2026-11-26,2026-11-27",
    "",
    "now:sold,checksHead,guestsHead,discounts,refunded,voids",
    "1234.5,3,7,0,18.2,50",
    "",
    "byHour",
    "hour,checksHead,now:sold",
    "20:00,3,1234.5",
    "",
    "byDish",
    "dish,quantity,amount",
    "'=1+1,2.5,1000",
    "noDish,1,-10.5",
    "others2,,245",
    "",
    "byRestaurant",
    "now:restaurant,checksHead,now:sold,beforeHead",
    '"Baní, 2",3,1234.5,2000',
    "Moca,0,0,90.5",
    "",
  ]);
});
