import { expect, it } from "vitest";
import { matcherOf } from "./search.ts";

it("every word of a search is found anywhere in a row, ignoring case and accents [UI-247]", () => {
  const row = ["tablet-1", "José NÚÑEZ", null, undefined, 12] as const;
  for (const search of ["", "  ", "nunez", "NÚÑEZ jose", "tablet 12", "ÑUÑ"]) {
    expect(matcherOf(search)(...row), search).toBe(true);
  }
  for (const search of ["nunes", "jose maria", "null", "josetablet"]) {
    expect(matcherOf(search)(...row), search).toBe(false);
  }
});
