import { expect, it } from "vitest";
import { readParts } from "./parts.ts";

it("[TOUCH-74] asks for parts by the address", () => {
  expect(readParts("?parts=3")).toBe(3);
  expect(readParts("?parts=amount")).toBe("amount");
  for (const search of ["", "?name=caja", "?parts=1", "?parts=0", "?parts=2.5", "?parts=x", "?parts=1000"]) {
    expect(readParts(search), search).toBeNull();
  }
});
