import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { blake2b } from "./blake2b.ts";

it.each([0, 1, 3, 127, 128, 129, 255, 256, 257, 1000])("agrees with node:crypto on %i bytes", (length) => {
  const input = randomBytes(length);
  expect(blake2b(input, 64).toString("hex")).toBe(createHash("blake2b512").update(input).digest("hex"));
});

it("has the known 32-byte digest of nothing", () => {
  expect(blake2b(Buffer.alloc(0), 32).toString("hex")).toBe(
    "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
  );
});
