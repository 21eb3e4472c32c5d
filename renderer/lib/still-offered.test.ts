import { expect, it } from "vitest";
import { stillOffered } from "./still-offered.ts";

it("a chosen entry of a list stays chosen while it is listed, and is cleared once it was removed [UI-502]", () => {
  expect(stillOffered("bar", ["caliente", "bar"])).toBe("bar");
  expect(stillOffered("bar", ["caliente"])).toBeNull();
  expect(stillOffered(null, ["caliente"])).toBeNull();
});

it("a chosen entry stays chosen until the list is read [UI-502]", () => {
  expect(stillOffered("bar", undefined)).toBe("bar");
});
