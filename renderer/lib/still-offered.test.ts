import { expect, it } from "vitest";
import { stillOffered } from "./still-offered.ts";

it("[UI-502] what was chosen of a list counts while it is there, and any once it was removed elsewhere", () => {
  expect(stillOffered("bar", ["caliente", "bar"])).toBe("bar");
  expect(stillOffered("bar", ["caliente"])).toBeNull();
  expect(stillOffered(null, ["caliente"])).toBeNull();
});

it("[UI-502] keeps what was chosen until the list is read", () => {
  expect(stillOffered("bar", undefined)).toBe("bar");
});
