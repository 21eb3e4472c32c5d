import { expect, it } from "vitest";
import { quantityText } from "./quantity-text.ts";

it("a share that has no exact decimal is written as a fraction, any other quantity in decimals [TOUCH-1595]", () => {
  const text = (quantity: number) => quantityText(quantity, String);
  expect([0.333, 0.334, 0.667, 0.666, 0.142, 0.084, 2.333].map(text)).toEqual([
    "1/3",
    "1/3",
    "2/3",
    "2/3",
    "1/7",
    "1/12",
    "2 1/3",
  ]);
  const decimals = [1, 2, 0, 0.5, 0.25, 0.125, 1.5, 0.355, 0.45, 1.235, 0.499, -0.333, -1];
  expect(decimals.map(text)).toEqual(decimals.map(String));
});

it("each share that a split of a dish makes is the same text for all parts [TOUCH-1595]", () => {
  for (let parts = 2; parts <= 12; parts++) {
    const least = Math.floor(1000 / parts) / 1000;
    const exact = 1000 % parts === 0;
    for (const share of [least, least + (exact ? 0 : 0.001)])
      expect(quantityText(share, String)).toBe(exact ? String(share) : `1/${parts}`);
  }
});
