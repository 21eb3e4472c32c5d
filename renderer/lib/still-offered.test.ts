import { expect, it } from "vitest";
import { stillOffered } from "./still-offered.ts";

it("what was chosen of a list counts while it is there, and any once it was removed elsewhere [UI-502]", () => {
  expect(stillOffered("bar", ["caliente", "bar"])).toBe("bar");
  expect(stillOffered("bar", ["caliente"])).toBeNull();
  expect(stillOffered(null, ["caliente"])).toBeNull();
});

it("keeps what was chosen until the list is read [UI-502]", () => {
  expect(stillOffered("bar", undefined)).toBe("bar");
});
