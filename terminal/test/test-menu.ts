import type { Menu } from "@comanda/protocol";
import { indexMenu, type MenuIndex } from "../lib/menu/menu-index.ts";

const anywhere = ["dine_in", "takeout", "delivery"];

/** Builds a small menu: dishes, and a drink whose price with its tax is not a whole cent. */
export function testMenu(fields: Partial<Menu> = {}): MenuIndex {
  const menu: Menu = {
    id: 1,
    name: "Comedor",
    currency: "DOP",
    hubMode: true,
    hubAddress: "",
    rounding: "line",
    categories: [
      { id: 1, name: "Platos" },
      { id: 2, name: "Bebidas" },
    ],
    products: [
      { id: 101, name: "Pescado con coco", price: 890, categoryId: 1, taxIds: [1, 2], barcode: "7460001" },
      { id: 102, name: "Cerveza Presidente", price: 10.05, categoryId: 2, taxIds: [1] },
      {
        id: 103,
        name: "Café",
        default_code: "2X1-CAFE",
        price: 80,
        categoryId: 2,
        taxIds: [1],
        modifiers: [{ id: 9, name: "Con leche", price: 20 }],
      },
    ],
    taxes: [
      { id: 1, name: "ITBIS", rate: 18, included: false, orderTypes: anywhere },
      { id: 2, name: "Propina legal", rate: 10, included: false, orderTypes: ["dine_in"] },
    ],
    paymentMethods: [],
    stations: [
      { id: "cocina", name: "Cocina", categoryIds: [1], productIds: [] },
      { id: "bar", name: "Bar", categoryIds: [2], productIds: [] },
    ],
    itemStates: [],
    menuVersion: "1",
    asOf: "2026-11-22T20:00:00.000Z",
    ...fields,
  };
  return indexMenu(menu);
}
