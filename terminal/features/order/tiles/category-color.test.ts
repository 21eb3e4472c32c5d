import { describe, expect, it } from "vitest";
import { categoryColor, HUES } from "./category-color.ts";

describe("the colour of a category", () => {
  it("a category has the colour that the back-office has chosen [TOUCH-374]", () => {
    expect(categoryColor({ id: 1, name: "Entradas", color: 5 })).toBe(5);
    expect(categoryColor({ id: 1, name: "Entradas", color: 11 })).toBe(3);
  });

  it("a category without chosen colour has one by its id, different from its neighbours' [TOUCH-374]", () => {
    const hues = Array.from({ length: HUES }, (_, id) => categoryColor({ id: id + 1, name: "", color: 0 }));
    expect(new Set(hues).size).toBe(HUES);
    expect(categoryColor({ id: 3, name: "" })).toBe(categoryColor({ id: 3, name: "", color: "red" }));
    expect(categoryColor({ id: -1, name: "" })).toBeLessThan(HUES);
  });
});
