import { expect, it } from "vitest";
import { typeAmount, typedCents } from "./typed-amount.ts";

function typed(keys: string): string {
  return keys.split("").reduce((text, key) => typeAmount(text, key === "<" ? "erase" : key), "");
}

it("a typed amount is read to the cent [TOUCH-71]", () => {
  expect(typed("1250.50")).toBe("1250.50");
  expect(typedCents("1250.50")).toBe(125_050);
  expect(typedCents("0.1")).toBe(10);
  expect(typedCents("19.99")).toBe(1_999);
  expect(typedCents("12.")).toBe(1_200);
  expect(typedCents("")).toBe(0);
});

it("a second point, a third decimal and leading zeros are not accepted [TOUCH-71]", () => {
  expect(typed("1.2.345")).toBe("1.23");
  expect(typed("007")).toBe("7");
  expect(typed(".5")).toBe("0.5");
  expect(typed("12<<3")).toBe("3");
  expect(typed("1234567890")).toBe("12345678");
});
