import { expect, it } from "vitest";
import { foldText } from "./fold-text.ts";

it.each([
  ["Núñez", "nunez"],
  ["NU\u0301N\u0303EZ", "nunez"],
  ["Piña colada", "pina colada"],
  ["CAFÉ ÇA VA", "cafe ca va"],
  ["POS/2026/00001", "pos/2026/00001"],
  ["寿司 #12", "寿司 #12"],
])("folding removes case and accents: %s [OP-170]", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});
