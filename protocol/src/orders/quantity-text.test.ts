import { expect, it } from "vitest";
import { quantityText } from "./quantity-text.ts";

it("a share of a dish is written as a fraction, any other quantity in decimals [TOUCH-1595]", () => {
  const text = (quantity: number) => quantityText(quantity, String);
  expect([0.5, 0.333, 0.334, 0.667, 0.666, 0.25, 0.75, 0.142, 0.084, 1.5, 2.333].map(text)).toEqual([
    "1/2",
    "1/3",
    "1/3",
    "2/3",
    "2/3",
    "1/4",
    "3/4",
    "1/7",
    "1/12",
    "1 1/2",
    "2 1/3",
  ]);
  expect([1, 2, 0, 0.355, 0.45, 1.235, 0.499, 0.501, -0.5, -1].map(text)).toEqual([
    "1",
    "2",
    "0",
    "0.355",
    "0.45",
    "1.235",
    "0.499",
    "0.501",
    "-0.5",
    "-1",
  ]);
});

it("each share that a split of a dish makes has the fraction of its parts [TOUCH-1595]", () => {
  for (let parts = 2; parts <= 12; parts++) {
    const least = Math.floor(1000 / parts) / 1000;
    for (const share of [least, least + (1000 % parts === 0 ? 0 : 0.001)])
      expect(quantityText(share, String)).toBe(`1/${parts}`);
  }
});
