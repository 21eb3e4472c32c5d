import { describe, expect, it } from "vitest";
import { testMenu } from "../../test/test-menu.ts";
import { OTHERS_ID } from "./menu-index.ts";

describe("the menu's search", () => {
  const menu = testMenu();
  const names = (text: string) => menu.search(text).products.map(({ name }) => name);

  it("the search finds words by their beginning in any order, without accents, hits of the first word on top [TOUCH-20]", () => {
    expect(names("cafe")).toEqual(["Café"]);
    expect(names("pre cer")).toEqual(["Cerveza Presidente"]);
    expect(names("c")).toEqual(["Cerveza Presidente", "Café", "Pescado con coco"]);
    expect(names("sidente")).toEqual([]);
  });

  it("a leading number is the quantity [TOUCH-20]", () => {
    expect(menu.search("2 pre cer")).toMatchObject({ quantity: 2, products: [{ id: 102 }] });
    expect(menu.search("12x cafe")).toMatchObject({ quantity: 12, products: [{ id: 103 }] });
    expect(menu.search("cafe")).toMatchObject({ quantity: 1 });
  });

  it("a number at the beginning of a product's name is part of the name [TOUCH-20]", () => {
    const sodas = testMenu({ products: [{ id: 7, name: "7 Up", price: 90, categoryId: 2, taxIds: [] }] });
    for (const text of ["7", "7 ", "7 u", "7 up"]) {
      expect(sodas.search(text), text).toMatchObject({ quantity: 1, products: [{ id: 7 }] });
    }
    expect(sodas.search("3 7 up")).toMatchObject({ quantity: 3, products: [{ id: 7 }] });
  });

  it("a product is found by the code on its package [TOUCH-20]", () => {
    expect(menu.byCode("7460001")).toMatchObject({ id: 101 });
    expect(menu.byCode("1")).toBeUndefined();
    expect(menu.search(" 7460001 ")).toMatchObject({ quantity: 1, products: [{ id: 101 }] });
    expect(menu.search("3 7460001")).toMatchObject({ quantity: 3, products: [{ id: 101 }] });
    expect(menu.search("2X1-CAFE")).toMatchObject({ quantity: 1, products: [{ id: 103 }] });
    expect(menu.search("3*2X1-CAFE")).toMatchObject({ quantity: 3, products: [{ id: 103 }] });
    expect(names("746000")).toEqual([]);
  });
});

it("the menu's pages are the categories with dishes, and then dishes without category [TOUCH-444]", () => {
  const dish = { price: 90, taxIds: [] };
  const products = [
    { ...dish, id: 1, name: "Agua", categoryId: 2 },
    { ...dish, id: 2, name: "Propina de la casa", categoryId: 0 },
    { ...dish, id: 3, name: "Servilletas", categoryId: 99 },
  ];
  const pages = ({ categories }: ReturnType<typeof testMenu>) =>
    categories.map(({ category, products: pageProducts }) => [category.id, pageProducts.map(({ id }) => id)]);
  expect(pages(testMenu({ products }))).toEqual([
    [2, [1]],
    [OTHERS_ID, [2, 3]],
  ]);
  expect(pages(testMenu({ products, categories: [] }))).toEqual([[OTHERS_ID, [1, 2, 3]]]);
});
