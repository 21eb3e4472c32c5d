import { expect, it } from "vitest";
import { matchesPattern } from "./faults.ts";

it("a fault's path reads * as any run of characters and everything else literally [BO-71]", () => {
  const matching = [
    ["*", "/"],
    ["/pos-api/v1/hub/*", "/pos-api/v1/hub/batch-sync"],
    ["/pos-api/*/create", "/pos-api/v1/orders/create"],
    ["/a*", "/a"],
    ["/a.b", "/a.b"],
  ] as const;
  expect(matching.filter(([pattern, path]) => !matchesPattern(pattern, path))).toEqual([]);
  const other = [
    ["/a", "/a/b"],
    ["/a.b", "/axb"],
    ["/pos-api/*/create", "/pos-api/v1/orders/created"],
    ["/A", "/a"],
  ] as const;
  expect(other.filter(([pattern, path]) => matchesPattern(pattern, path))).toEqual([]);
});
