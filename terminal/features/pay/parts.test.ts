import { expect, it } from "vitest";
import { readParts } from "./parts.ts";

it("the parts of a payment are read from the address [TOUCH-74]", () => {
  expect(readParts("3")).toBe(3);
  expect(readParts("amount")).toBe("amount");
  for (const text of [undefined, "", "1", "0", "2.5", "x", "1000"]) {
    expect(readParts(text), text).toBeNull();
  }
});
