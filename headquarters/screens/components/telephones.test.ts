import { expect, it } from "vitest";
import { splitTelephones } from "./telephones.ts";

it.each([
  ["", []],
  ["pregunte en la caja", []],
  ["Yadira (809) 555-0142, caja +1 829 555 0199", ["8095550142", "+18295550199"]],
  // Text beside a number is not dialled.
  ["Yadira 809 555 0142 (24 h), (9:00 - 17:00)", ["8095550142"]],
  ["809-555-0142 - 829-555-0199", ["8095550142", "8295550199"]],
  ["(809) 555-0142 (829) 555-0199. 8495550111", ["8095550142", "8295550199", "8495550111"]],
  ["1-809-555-0142 ext. 12, desde el 2026-11-30", ["18095550142"]],
  ["dueño +34 612 345 678, cédula 001-1234567-8", ["+34612345678"]],
])("the telephone numbers in %j are %j [HQ-585]", (text, numbers) => {
  const parts = splitTelephones(text);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(parts.flatMap(({ number }) => number ?? [])).toEqual(numbers);
});
